"""Every external known answer beside ours, through the product's public commands and API."""
