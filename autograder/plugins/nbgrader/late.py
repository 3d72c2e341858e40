"""What late work costs in nbgrader: by the rule of the assignment's config, as `autograder grade` reckons it."""

from __future__ import annotations

from datetime import UTC

from nbgrader.plugins import LateSubmissionPlugin

from autograder.grading.lateness import Deadlines, lateness
from autograder.model.submission import Origin
from autograder.plugins.nbgrader.graders import grader_for, is_ours


class LatePenalty(LateSubmissionPlugin):  # type: ignore[misc]
    """Asked by nbgrader's AssignLatePenalties; an assignment without a rule of ours is left to nbgrader's."""

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """The marks to take off, or None."""
        step = self.parent
        deadlines = None
        if is_ours(step.assignment_id, step.notebook_id):
            deadlines = Deadlines.of(grader_for(step.parent, step.assignment_id).course)
        if deadlines is None:
            penalty: float | None = super().late_submission_penalty(student_id, score, total_seconds_late)
            return penalty
        timestamp = step.gradebook.find_submission(step.assignment_id, student_id).timestamp
        moment = timestamp.replace(tzinfo=UTC) if timestamp is not None else None
        due = deadlines.due_for(student_id, Origin("nbgrader", login=student_id))
        return lateness(score, moment, due, deadlines.rule).penalty or None
