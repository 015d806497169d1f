"""Language models as agents: the Follower `llm` and the Commander `llm`.

A model reads the texts of `tatc.session.text_world` and answers with tool calls.  What it was
asked and what it answered are kept in the session's record, from which the session can be
played again without the model.
"""
