"""Put our recognizers and operators into Presidio's engines, services and pipelines."""
