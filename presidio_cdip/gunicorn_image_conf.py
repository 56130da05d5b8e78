"""Serve `presidio_cdip.presidio.gunicorn_image_service` under the name that deployments use."""

from presidio_cdip.presidio.gunicorn_image_service import post_worker_init as post_worker_init
from presidio_cdip.presidio.gunicorn_image_service import when_ready as when_ready
