"""Presidio's engines, services and pipelines with our recognizers and operators in them."""
