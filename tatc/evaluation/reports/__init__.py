"""Reports of runs, comparisons and fidelity: pages, tables and plots."""
