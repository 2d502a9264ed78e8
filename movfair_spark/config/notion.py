"""What is tested of the outcomes, for people who move and for points alike: model, notion, direction."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from movfair_spark.config.base import Section

OutcomeModel = Literal["bernoulli", "multinomial", "normal"]
Notion = Literal["statistical_parity", "equal_opportunity", "false_positive_parity", "equal_odds"]
Direction = Literal["both", "high", "low"]
Kind = Literal["binary", "class", "real"]

TRUTH_OF: dict[str, float | None] = {
    "statistical_parity": None,
    "equal_opportunity": 1.0,
    "false_positive_parity": 0.0,
    "equal_odds": None,
}
"""Truth that an object must have for each notion; None = any."""


class NotionConfig(Section):
    """Which outcomes are compared, and by which notion of fairness.

    Attributes
    ----------
    model : {'bernoulli', 'multinomial', 'normal'}
        Outcomes are 0 and 1, classes, or real values.
    notion : str
        ``statistical_parity`` compares everybody's outcomes; ``equal_opportunity`` (``false_positive_parity``) those of
        people whose truth is positive (negative); ``equal_odds`` both, or all classes of truth, at once.
    outcome : {'value', 'residual'}
        Real values as they are, or less the truth: prediction - truth.
    transform : {'none', 'normal_scores'}
        Real values as they are, or by their ranks.
    direction : {'both', 'high', 'low'}
    """

    model: OutcomeModel = "bernoulli"
    notion: Notion = "statistical_parity"
    outcome: Literal["value", "residual"] = "value"
    transform: Literal["none", "normal_scores"] = "none"
    direction: Direction = "both"

    @model_validator(mode="after")
    def _model_and_notion_go_together(self) -> Self:
        parity = self.notion == "statistical_parity"
        if self.model == "multinomial" and not (parity or self.notion == "equal_odds"):
            raise ValueError(
                f"notion '{self.notion}' is for outcomes 0 and 1; classes have statistical_parity and equal_odds"
            )
        if self.model == "normal" and not parity:
            raise ValueError(
                f"notion '{self.notion}' is for outcomes 0 and 1; real values have statistical_parity, "
                "or outcome: residual (prediction - truth)"
            )
        if self.model == "multinomial" and self.direction != "both":
            raise ValueError(
                f"direction '{self.direction}' is for outcomes with an order; classes have both only"
            )
        for name, asked in (
            ("outcome: residual", self.outcome == "residual"),
            ("transform: normal_scores", self.transform != "none"),
        ):
            if asked and self.model != "normal":
                raise ValueError(f"{name} is for real values: set model: normal")
        return self

    @property
    def kind(self) -> Kind:
        """What an outcome is."""
        kinds: dict[str, Kind] = {"bernoulli": "binary", "multinomial": "class", "normal": "real"}
        return kinds[self.model]

    @property
    def wanted_truth(self) -> float | None:
        """Truth that an object must have to be in the test; None = any."""
        return TRUTH_OF[self.notion]

    @property
    def parts(self) -> bool:
        """Whether the statistic is a sum over classes of truth."""
        return self.notion == "equal_odds"

    @property
    def needs_truth(self) -> bool:
        """Whether the test cannot do without a truth."""
        return self.wanted_truth is not None or self.parts or self.outcome == "residual"
