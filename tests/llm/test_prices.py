"""Prices: litellm's, one's own before it, unknown is not free."""

from __future__ import annotations

from pathlib import Path

import pytest

from arandu_lab.errors import ConfigError
from arandu_lab.llm.prices import Prices, litellm_table, prices_of, read_prices

MINI = "openai/gpt-4.1-mini"
GOOD = 'date = "2026-11-30"\n[models."openai/gpt-4.1-mini"]\ninput = 1\noutput = 2.5\n'


def test_a_price_is_litellms_unless_one_has_ones_own(tmp_path: Path) -> None:
    """With a provider before its name a model is found; a file of one's own goes first, and says since when."""
    bare = litellm_table()["gpt-4.1-mini"]
    found = Prices().price(MINI)
    assert found is not None
    assert (found.input, found.output) == (bare["input_cost_per_token"], bare["output_cost_per_token"])
    assert found.source.startswith("litellm ")
    file = tmp_path / "prices.toml"
    file.write_text(GOOD, encoding="utf-8")
    prices = read_prices(file)
    assert prices.cost(MINI, 2_000_000, 1_000_000) == pytest.approx(4.5)
    assert prices.price(MINI).source == "prices.toml of 2026-11-30"
    assert prices.told()["own"] == "2026-11-30"


def test_what_nobody_states_is_unknown_and_never_free() -> None:
    """No price: None. The offline rules, and no tokens at all, cost nothing."""
    prices = Prices()
    assert prices.cost("someone/something", 10, 0) is None
    assert prices.cost(None, 10, 0) is None
    assert prices.cost("azure/gpt-4.1-mini-of-ours", 10, 0) is None
    assert prices.cost("offline/rules", 10, 10) == 0.0
    assert prices.cost(None, 0, 0) == 0.0


def test_the_file_where_it_runs_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``prices.toml`` of the working directory counts without being named; one that is named must be there."""
    monkeypatch.chdir(tmp_path)
    assert read_prices() == Prices()
    (tmp_path / "prices.toml").write_text(GOOD, encoding="utf-8")
    assert read_prices().date == "2026-11-30"
    with pytest.raises(ConfigError, match=r"other\.toml"):
        read_prices("other.toml")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"models": {"a": {"input": 1, "output": 1}}}, "the day of the prices"),
        ({"date": "yesterday", "models": {"a": {"input": 1, "output": 1}}}, "the day of the prices"),
        ({"date": "2026-11-30"}, "no prices"),
        ({"date": "2026-11-30", "model": {}}, "did you mean 'models'"),
        ({"date": "2026-11-30", "models": {"a": 3}}, "wants input and output"),
        ({"date": "2026-11-30", "models": {"a": {"input": 1}}}, "output = None"),
        ({"date": "2026-11-30", "models": {"a": {"input": -1, "output": 1}}}, "at least 0"),
        ({"date": "2026-11-30", "models": {"a": {"input": True, "output": 1}}}, "at least 0"),
        ({"date": "2026-11-30", "models": {"a": {"input": 1, "ouput": 1}}}, "did you mean 'output'"),
    ],
)
def test_a_file_of_prices_is_read_strictly(data: dict[str, object], said: str) -> None:
    """A date and both prices, at least 0, and nothing else."""
    with pytest.raises(ConfigError, match=said):
        prices_of(data)
