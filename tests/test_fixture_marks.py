"""Every labelled submission of tests/submissions, in one run of the real batch: right marks, right diagnoses.

The labels are proved apart from the grader by tests/test_fixture_labels.py. The table of diagnoses was read by
people, each beside the mistake that the file's header tells.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
import yaml

from autograder.grading.batch import Order, grade_batch
from autograder.grading.expectations import call_reference
from autograder.grading.plan import plan_exercise
from autograder.grading.store import file_name
from autograder.loading.assignment import Course, load_assignment
from autograder.loading.submissions import find_submissions, read_submission
from autograder.model.submission import Submission
from autograder.wording.say import say

TOP = Path(__file__).parents[1]
SUBMISSIONS = TOP / "tests" / "submissions"

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("fixture-marks")]


@dataclass(frozen=True)
class Label:
    """What a header says."""

    right: tuple[str, ...]
    wrong: tuple[str, ...]
    kind: str
    root_cause: tuple[str, ...]


def read_label(path: Path) -> Label:
    """The header of a labelled submission, whatever the file's encoding."""
    raw = path.read_bytes()
    text = raw.decode("utf-16") if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else raw.decode("latin-1")
    text = re.split(r"\r\n|\r|\n", text.lstrip("\ufeff").removeprefix("ï»¿")) and text
    lines = [line[2:] for line in re.split(r"\r\n|\r|\n", text) if re.match(r"# [a-z_]+:", line)]
    header: dict[str, Any] = {}
    for line in lines:
        key, _, value = line.partition(":")
        if key in ("functions_right", "functions_wrong", "kind", "root_cause") and key not in header:
            header[key] = yaml.safe_load(value)
    return Label(
        tuple(header["functions_right"]),
        tuple(header["functions_wrong"]),
        header["kind"],
        tuple(header.get("root_cause") or ()),
    )


LABELS = {path.stem: read_label(path) for path in sorted(SUBMISSIONS.glob("*.py"))}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The result of every labelled submission, from one batch of two jobs with short limits."""
    top = tmp_path_factory.mktemp("course")
    for name in ("config", "exercises", "solutions"):
        shutil.copytree(TOP / name, top / name)
    config = top / "config" / "qkv.yaml"
    short = config.read_text(encoding="utf-8")
    short = re.sub(r"call_seconds: \S+", "call_seconds: 0.6", short)
    short = re.sub(r"load_seconds: \S+", "load_seconds: 1.5", short)
    config.write_text(short, encoding="utf-8")
    course, out = load_assignment(top), tmp_path_factory.mktemp("results")
    found = find_submissions(SUBMISSIONS)
    before = {process.pid for process in psutil.Process().children(recursive=True)}
    done = grade_batch(course, found, Order(top, "qkv", out, "auto"), jobs=2)
    assert len(done) == len(found), "as many rows as submissions"
    left = [
        p
        for p in psutil.Process().children(recursive=True)
        if p.pid not in before and p.name() != "resource_tracker"
    ]
    assert [p.cmdline() for p in left if "resource_tracker" not in " ".join(p.cmdline())] == []
    return {
        one.student: json.loads((out / file_name(one.student)).read_text(encoding="utf-8")) for one in found
    }


def test_functions_labelled_right_pass_with_full_marks(results: dict[str, Any]) -> None:
    lost = [
        (name, exercise["function"], exercise["status"], exercise["marks"])
        for name, label in LABELS.items()
        for exercise in results[name]["exercises"]
        if exercise["function"] in label.right
        and not (exercise["status"] == "passed" and exercise["marks"] == exercise["max_marks"])
    ]

    assert lost == []


def test_functions_labelled_wrong_pass_only_as_follow_through(results: dict[str, Any]) -> None:
    gained = [
        (name, exercise["function"], exercise["marks"])
        for name, label in LABELS.items()
        for exercise in results[name]["exercises"]
        if exercise["function"] in label.wrong
        and exercise["status"] == "passed"
        and not (exercise["follow_through"] and exercise["function"] not in label.root_cause)
    ]

    assert gained == []


def test_nothing_of_ours_broke(results: dict[str, Any]) -> None:
    assert [name for name, result in results.items() if result["outcome"] == "broken"] == []


def test_no_right_function_is_accused_of_a_mistake(results: dict[str, Any]) -> None:
    accused = [
        (name, exercise["function"], [one["code"] for one in exercise["diagnosis"]])
        for name, label in LABELS.items()
        for exercise in results[name]["exercises"]
        if exercise["function"] in label.right and exercise["diagnosis"]
    ]

    assert accused == []


# Why

#: A submission, a function in which its mistake stands, and a code that the feedback must have for it.
DIAGNOSES = """
attention_always_causal attention attention.always_causal
attention_column_layout scores scores.keys_in_columns
attention_column_layout softmax softmax.columns
attention_column_layout mix mix.wrong_order
attention_column_layout attention exception.matmul
attention_column_layout layer_norm layer_norm.over_columns
attention_column_layout backward exception.matmul
attention_forgets_scale attention attention.forgets_scale
attention_keys_and_values_mixed_up attention attention.keys_and_values_mixed_up
attention_mixes_the_queries attention attention.mixes_queries
attention_multiplies_scores_by_a_mask attention attention.masks_with_zero
attention_prints_instead_of_returning attention return.printed
attention_remembers_by_shape attention transform.kept
attention_returns_output_only attention attention.returns_output_only
attention_returns_scores_for_weights attention attention.returns_scores
attention_returns_swapped attention attention.returns_swapped
attention_rounds_to_2_in_softmax softmax transform.rounded
attention_rounds_to_4 attention attention.rounds_to_4
attention_scales_after_softmax attention attention.scales_after_softmax
attention_scales_by_width_of_values attention attention.scales_by_width_of_values
attention_scales_twice attention attention.scales_twice
attention_softmax_twice attention attention.softmax_twice
attention_width_from_the_lecture attention attention.scales_by_root_of_two
backward_da_not_transposed backward backward.da_not_transposed
backward_drops_row_sum backward backward.drops_row_sum
backward_ds_for_unscaled_scores backward backward.ds_for_unscaled_scores
backward_dv_from_scores backward backward.dv_from_scores
backward_dv_not_transposed backward backward.dv_not_transposed
backward_elementwise_jacobian backward backward.elementwise
backward_flattened_jacobian backward backward.flattened_jacobian
backward_forgets_scale backward backward.forgets_scale
backward_missing_keepdims backward backward.missing_keepdims
backward_returns_da_for_ds backward backward.returns_da
backward_returns_other_order backward backward.returns_other_order
backward_returns_three backward return.count.missing
backward_scales_only_dq backward backward.scales_only_dq
backward_scales_twice backward backward.divides_by_d_k
backward_skips_softmax backward backward.skips_softmax
backward_sums_columns backward backward.sums_columns
backward_swaps_dq_dk backward backward.swaps_dq_dk
backward_wrong_sign backward backward.wrong_sign
hard_coded_shapes scores exception.index
hard_coded_shapes softmax exception.index
hard_coded_shapes mix exception.index
layernorm_divides_by_variance layer_norm layer_norm.divides_by_variance
layernorm_eps_outside_root layer_norm layer_norm.eps_outside_root
layernorm_ignores_eps_argument layer_norm layer_norm.ignores_eps_argument
layernorm_learned_factors_missing layer_norm exception.name.parameter
layernorm_missing_keepdims layer_norm layer_norm.missing_keepdims
layernorm_mutates_input layer_norm exception.cast_in_place.argument
layernorm_no_eps layer_norm layer_norm.no_eps
layernorm_one_pass_variance layer_norm layer_norm.one_pass_variance
layernorm_only_centres layer_norm layer_norm.only_centres
layernorm_over_columns layer_norm layer_norm.over_columns
layernorm_over_everything layer_norm layer_norm.over_everything
layernorm_rms_only layer_norm layer_norm.rms_only
layernorm_sample_std layer_norm layer_norm.sample_std
layernorm_squares_instead_of_root layer_norm layer_norm.squares_instead_of_root
layernorm_variance_about_zero layer_norm layer_norm.variance_about_zero
mix_divides_by_the_number_of_keys mix mix.divides_by_number_of_keys
mix_elementwise mix mix.elementwise
mix_overwrites_instead_of_adding mix mix.last_key_only
mix_renormalises_in_place mix exception.cast_in_place.argument
mix_sums_away_the_columns mix mix.adds_components
mix_takes_the_best_key_only mix mix.winner_takes_all
mix_transposed_weights mix mix.transposed_weights
mix_wrong_order mix mix.wrong_order
numgrad_divides_by_h numerical_gradient numerical_gradient.divides_by_h
numgrad_divides_then_multiplies numerical_gradient numerical_gradient.multiplies_by_h
numgrad_flattens_result numerical_gradient numerical_gradient.flattens_result
numgrad_forward_difference numerical_gradient numerical_gradient.forward_difference
numgrad_last_digit_drift numerical_gradient idea.works_in_place
numgrad_leaves_m_moved numerical_gradient idea.works_in_place
numgrad_minus_minus_plus numerical_gradient numerical_gradient.wrong_sign
numgrad_missing_first_bracket numerical_gradient numerical_gradient.missing_brackets
numgrad_moves_everything numerical_gradient numerical_gradient.moves_everything
numgrad_not_put_back numerical_gradient numerical_gradient.keeps_steps
numgrad_one_index numerical_gradient exception.index
numgrad_relative_step numerical_gradient numerical_gradient.relative_step
numgrad_row_by_row numerical_gradient numerical_gradient.row_as_matrix
numgrad_rows_only_square numerical_gradient numerical_gradient.rows_for_columns
numgrad_same_array_twice numerical_gradient numerical_gradient.same_array_twice
numgrad_truncates_integers numerical_gradient numerical_gradient.truncates_step
one_head_always_the_first one_head one_head.ignores_h
one_head_counts_from_one one_head one_head.counts_from_one
one_head_forgets_layer_norm one_head one_head.skips_layer_norm
one_head_inherits_reshape split_heads split_heads.reshape_only
one_head_joins_all_heads one_head one_head.joins_all_heads
one_head_leaves_v_whole one_head one_head.leaves_v_whole
one_head_normalises_after_projection one_head one_head.normalises_after_projection
one_head_returns_output_only one_head one_head.returns_output_only
one_head_scales_by_model_width one_head one_head.scales_by_d_model
one_head_scales_by_number_of_heads one_head one_head.scales_by_number_of_heads
one_head_takes_head_of_x one_head one_head.takes_corner_of_weights
one_head_unscaled_when_alone one_head one_head.unscaled_when_alone
pattern_content_is_scaled pattern_scores pattern_scores.content_scaled
pattern_decay_grows pattern_scores pattern_scores.decay_grows
pattern_decay_keeps_the_sign pattern_scores pattern_scores.decay_signed
pattern_decay_squared pattern_scores pattern_scores.decay_squared
pattern_mixed_halves pattern_scores pattern_scores.mixed_of_two
pattern_mixed_missing pattern_scores return.nothing
pattern_mixed_sums pattern_scores pattern_scores.mixed_sum
pattern_previous_is_one pattern_scores pattern_scores.previous_is_one
pattern_previous_is_the_token_itself pattern_scores pattern_scores.own_place
pattern_previous_looks_ahead pattern_scores pattern_scores.looks_ahead
pattern_returns_weights pattern_scores pattern_scores.returns_weights
pattern_square_only pattern_scores pattern_scores.square
pattern_transposed_axes pattern_scores pattern_scores.keys_first
project_normalises_again project project.normalises_again
project_one_weight_for_all project project.one_weight_for_all
project_returns_k_q_v project project.returns_other_order
project_stacks_in_one_array project return.one_for_several
project_transposed_weights project project.transposed_weights
project_transposes_the_results project project.tokens_in_columns
project_weights_on_the_left project exception.matmul
scale_always_eight scale scale.always_eight
scale_by_d_k scale scale.by_d_k
scale_by_number_of_keys scale scale.by_number_of_keys
scale_by_number_of_queries scale scale.by_number_of_queries
scale_floor_division scale scale.floor_division
scale_in_the_dtype_of_s scale scale.truncates_integers
scale_integer_root scale scale.integer_root
scale_missing scale scale.missing
scale_multiplies scale scale.multiplies
scale_mutates_input scale exception.cast_in_place.argument
scale_power_precedence scale scale.half_power
scores_cosine scores scores.cosine
scores_index_typo_in_loop scores scores.same_index
scores_last_column_left_out scores scores.last_component_left_out
scores_no_transpose scores scores.no_transpose
scores_only_matching_rows scores exception.broadcast
scores_scaled_and_scale_noop scores scores.scaled
scores_scaled_and_scale_noop scale scale.missing
scores_squared_distance scores scores.squared_distance
scores_swapped_k_and_q scores scores.transposed
scores_torch_style_transpose scores scores.no_transpose
scores_whole_number_table scores transform.truncated
smb_elementwise_jacobian softmax_backward softmax_backward.elementwise
smb_flattened_jacobian softmax_backward softmax_backward.flattened_jacobian
smb_forgets_outer_weights softmax_backward softmax_backward.forgets_outer_weights
smb_mean_instead_of_sum softmax_backward softmax_backward.mean_of_products
smb_missing_keepdims softmax_backward softmax_backward.missing_keepdims
smb_missing_sum softmax_backward softmax_backward.drops_row_sum
smb_mutates_da softmax_backward exception.cast_in_place.argument
smb_plain_row_sum softmax_backward softmax_backward.unweighted_sum
smb_sums_columns softmax_backward softmax_backward.sums_columns
smb_wrong_sign softmax_backward softmax_backward.wrong_sign
softmax_all_entries softmax softmax.all_entries
softmax_base_two softmax softmax.base_two
softmax_calls_itself softmax exception.recursion
softmax_clips_the_scores softmax only.large
softmax_columns softmax softmax.columns
softmax_divides_twice softmax softmax.sum_changes
softmax_float16 softmax softmax.float16
softmax_generous_epsilon softmax transform.row_factors
softmax_hard_argmax softmax softmax.winner_takes_all
softmax_helper_never_written softmax exception.name
softmax_missing_keepdims_in_max softmax softmax.missing_keepdims_in_max
softmax_missing_keepdims_in_sum softmax softmax.missing_keepdims_in_sum
softmax_mutates_input softmax idea.works_in_place
softmax_no_max_subtraction softmax softmax.no_max_subtraction
softmax_of_minus_s softmax softmax.of_minus_s
softmax_returns_log softmax softmax.returns_log
softmax_shift_only_numerator softmax softmax.shift_only_numerator
softmax_subtracts_column_max softmax softmax.subtracts_column_max
softmax_subtracts_the_minimum softmax softmax.subtracts_minimum
softmax_truncates_integers softmax softmax.truncates_integers
softmax_without_exp softmax softmax.without_exp
split_cuts_rows split_heads split_heads.cuts_rows_short
split_every_nth_column split_heads split_heads.interleaved
split_heads_axis_second split_heads split_heads.axis_second
split_n_heads_as_width split_heads split_heads.n_heads_as_width
split_one_head_stays_flat split_heads split_heads.one_head_stays_flat
split_reshape_without_transpose split_heads split_heads.reshape_only
split_transposes_each_head split_heads split_heads.tokens_last
split_width_first split_heads split_heads.interleaved
spread_about_zero score_spread score_spread.root_mean_square
spread_divides_by_d_k score_spread score_spread.divides_by_d_k
spread_mean_of_row_stds score_spread score_spread.mean_of_row_stds
spread_one_number score_spread return.one_for_several
spread_returns_scaled_first score_spread score_spread.returns_swapped
spread_sample_std score_spread score_spread.sample_std
spread_std_per_row score_spread score_spread.std_per_row
spread_variance score_spread score_spread.variance
two_norm_and_spread layer_norm layer_norm.sample_std
two_norm_and_spread score_spread score_spread.sample_std
two_scale_and_mix_cancel scale scale.multiplies
two_scale_and_mix_cancel mix mix.transposed_weights
two_softmax_and_pattern softmax softmax.columns
two_softmax_and_pattern pattern_scores pattern_scores.decay_grows
"""

ROWS = [tuple(row.split()) for row in DIAGNOSES.strip().splitlines()]


@pytest.mark.parametrize(("name", "function", "code"), ROWS, ids=[" ".join(row[:2]) for row in ROWS])
def test_a_mistake_is_named_in_the_function_where_it_stands(
    results: dict[str, Any], name: str, function: str, code: str
) -> None:
    exercise = next(one for one in results[name]["exercises"] if one["function"] == function)
    codes = [one["code"] for one in exercise["diagnosis"]]
    ideas = [one["code"] for one in exercise["diagnosis"] if one["evidence"]["kind"] == "malrule"]

    assert code in codes
    assert ideas in ([], [code]), "no other idea is laid at its door"


def test_the_table_has_only_mistakes_that_start_where_it_says() -> None:
    assert [row for row in ROWS if row[1] not in LABELS[row[0]].root_cause] == []


def test_what_rests_on_a_wrong_function_is_never_called_wrong_by_itself(results: dict[str, Any]) -> None:
    """Of a file whose header names the functions at fault, the others may lose marks, but are not accused."""
    own = say("exercise.own_fault_too", {"exercise": "…"}).partition("…")[2]
    accused = [
        (name, exercise["function"], one["code"])
        for name, label in LABELS.items()
        if label.kind == "mistake"
        for exercise in results[name]["exercises"]
        if exercise["function"] in label.wrong and exercise["function"] not in label.root_cause
        for one in exercise["diagnosis"]
        if one["evidence"]["kind"] in ("malrule", "return", "arguments", "line", "smallest")
    ]
    called = [
        (name, exercise["function"])
        for name, label in LABELS.items()
        if label.kind == "mistake"
        for exercise in results[name]["exercises"]
        if exercise["function"] in label.wrong and exercise["function"] not in label.root_cause
        if exercise["message"].endswith(own)
    ]

    assert accused == []
    assert called == []


# Hidden cases


def texts(node: Any) -> Iterator[str]:
    """All sentences and printouts of a part of a result, but for the submission's own lines."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, list | dict):
        values = node if isinstance(node, list) else [v for k, v in node.items() if k != "source"]
        for value in values:
            yield from texts(value)


def long_numbers(result: dict[str, Any]) -> list[tuple[float, float]]:
    """The numbers of six digits and more in the texts of a result, each with the worth of its last digit."""
    found = []
    for text in texts([result["exercises"], result["printed"], result["file_reports"]]):
        for whole, fraction, power in re.findall(r"(\d+)\.(\d+)(?:e([-+]?\d+))?", text):
            if len((whole + fraction).lstrip("0")) >= 6:
                worth = 10.0 ** (int(power or 0) - len(fraction))
                found.append((float(f"{whole}.{fraction}e{power or 0}"), worth))
    return found


def numbers_of_cases(course: Course, submission: Submission, *, hidden: bool) -> np.ndarray:
    """Inputs and expected values of a submission's hidden or visible cases, without their signs, sorted."""
    by_function = {exercise.function: exercise for exercise in course.exercises}

    def reference(function: str, arguments: Any) -> dict[str, np.ndarray]:
        exercise = by_function[function]
        own = {name: arguments[name] for name in exercise.parameters if name in arguments}
        values = call_reference(course.references, function, own)
        return dict(zip(exercise.outputs, values, strict=True))

    values: list[Any] = []
    for exercise in course.exercises:
        plan = plan_exercise(exercise, reference, course.assignment.seed, submission.code_sha256)
        for trial in plan.passes()[2 * hidden]:
            values += [*trial.arguments.values(), *reference(exercise.function, trial.arguments).values()]
    arrays = [value.ravel() for value in values if isinstance(value, np.ndarray) and value.dtype.kind == "f"]
    numbers = np.unique(np.abs(np.concatenate(arrays)))
    rest = numbers * 1e4 % 1
    return numbers[(rest > 0.01) & (rest < 0.99)]  # a figure of few digits may stand anywhere


def told(numbers: np.ndarray, shown: list[tuple[float, float]]) -> int:
    """How many of the numbers shown are one of these, as far as their digits go."""
    count = 0
    for value, worth in shown:
        near = numbers[np.searchsorted(numbers, value - worth) : np.searchsorted(numbers, value + worth)]
        count += near.size > 0
    return count


def test_no_number_of_a_hidden_case_is_in_any_text(results: dict[str, Any]) -> None:
    course = load_assignment(TOP)
    hidden, visible = {}, {}
    for name in LABELS:
        numbers = long_numbers(results[name])
        if numbers and results[name]["outcome"] == "graded":
            submission = read_submission(SUBMISSIONS / f"{name}.py")
            assert isinstance(submission, Submission)
            hidden[name] = told(numbers_of_cases(course, submission, hidden=True), numbers)
            visible[name] = told(numbers_of_cases(course, submission, hidden=False), numbers)

    assert visible["ok_leftover_prints"] > 8, "what is printed is found where it may be shown"
    # One or two may begin alike by chance; an array that is quoted has more.
    assert {name: count for name, count in hidden.items() if count > 2} == {}


def test_no_hidden_check_tells_a_number_with_a_point(results: dict[str, Any]) -> None:
    """In its sentence, but for a line of the submission that it quotes, or in its evidence."""
    telling = [
        (name, exercise["id"], check["id"], check["message"])
        for name, result in results.items()
        for exercise in result["exercises"]
        for check in exercise["checks"]
        if check["hidden"]
        and (
            re.search(r"\d\.\d", re.sub(r"\(line \d+: .*\)", "", check["message"]))
            or floats(check["evidence"])
        )
    ]

    assert telling == []


def floats(node: Any) -> list[float]:
    """All numbers with a point in a piece of evidence."""
    if isinstance(node, float):
        return [node]
    values = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return [number for value in values for number in floats(value)]
