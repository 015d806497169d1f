"""Damages every kind of file that tatc reads, and looks at how tatc takes it.

`corpus` makes sound files with tatc itself, `mutate_file` damages them, `targets` says which
command or function reads which, `case` puts one of them together, `in_process` and
`whole_process` run it within limits, `outcomes` says what came of it, and `campaign` does so
many times over.
"""
