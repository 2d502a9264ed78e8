"""What people get to see: verdict, evidence.geojson, map. Small groups are never shown (design section 4)."""
