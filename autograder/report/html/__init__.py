"""Results as pages: one student's report, the class's report; each one file that asks for nothing else."""
