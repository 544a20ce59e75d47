"""The toy in the terminal, run as a person runs it."""

import json
import re
import subprocess
import sys
from dataclasses import fields

import numpy as np
import pytest

from attention_core import AttentionRecord, Experiment, trace
from attention_core.terminal import main


def run(capsys, *arguments):
    main(arguments)
    return capsys.readouterr().out


def test_the_table_shows_every_weight_of_the_asked_head(capsys):
    record = trace(Experiment(ending="soft", head="previous"))
    rows = run(capsys, "--ending", "soft", "--head", "previous").splitlines()[3:]
    assert len(rows) == 10
    for i, row in enumerate(rows):
        place, token, *cells, total = row.split()
        assert (int(place), token) == (i + 1, record.query_tokens[i])
        expected = [f"{w:.2f}" if seen else "·" for w, seen in zip(record.weights[1, i], record.mask[i], strict=True)]
        assert cells == expected
        assert total == "1.00"


def test_without_the_mask_no_cell_is_hidden(capsys):
    assert "·" not in run(capsys, "--mask", "none")


def test_one_token_shows_its_arithmetic_line_by_line(capsys):
    text = run(capsys, "--token", "10")
    assert "query  alive 4    = x · W_Q" in text
    assert "4×2 + 0×0 + 0×0 + 0×0 = 8, / 2 = 4, e^score = 54.5982, weight 0.8585" in text
    assert "sum of e^score = 63.5982" in text
    assert "0.8585 × [alive 1]" in text


@pytest.mark.parametrize("token", range(1, 11))
def test_the_shown_exponentials_add_up_to_the_shown_sum(capsys, token):
    text = run(capsys, "--head", "previous", "--token", str(token))
    shown = [float(number) for number in re.findall(r"e\^score = (\S+),", text)]
    total = float(re.search(r"sum of e\^score = (\S+)", text).group(1))
    assert len(shown) == token
    assert sum(shown) == pytest.approx(total, abs=1e-3)
    assert text.count("masked: −∞, weight 0") == 10 - token


def test_json_holds_every_intermediate_in_full_precision(capsys):
    dumped = json.loads(run(capsys, "--json"))
    record = trace(Experiment())
    assert set(dumped) == {"about"} | {field.name for field in fields(AttentionRecord)}
    for name in ("X", "Q", "weights", "new_X", "mask"):
        np.testing.assert_array_equal(np.array(dumped[name]), getattr(record, name))
    assert dumped["masked_scores"][0][0][1] is None
    assert dumped["query_tokens"][-1] == "tired"
    assert dumped["dimension_names"][0] == "alive"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--token", "11"], "must be a whole number from 1 to 10, but is '11'"),
        (["--token", "it"], "must be a whole number from 1 to 10, but is 'it'"),
        (["--head", "nose"], "choose from"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
    ],
)
def test_a_bad_value_gets_one_clear_line_and_status_2(arguments, line):
    done = subprocess.run([sys.executable, "-m", "attention_core", *arguments], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert line in done.stderr


def test_help_explains_every_option():
    done = subprocess.run([sys.executable, "-m", "attention_core", "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    for option in ("--ending", "--head", "--mask", "--token", "--json"):
        assert option in done.stdout


def test_the_arithmetic_prints_where_the_terminal_knows_only_ascii():
    environment = {"PYTHONIOENCODING": "ascii", "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-m", "attention_core", "--token", "1"], capture_output=True, env=environment
    )
    assert done.returncode == 0
    assert "−∞" in done.stdout.decode()
