"""Model files: the catalog that names them, the places their bytes come from, the verified store."""
