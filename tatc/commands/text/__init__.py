"""What commands print: sessions as they are played, reports, tables, exit statuses."""
