"""Train, measure and export the model that `presidio_cdip/models/` ships."""
