"""What the gate says: a code, every figure it judged, and what was lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from arandu_lab.errors import BackendError, ConfigError, Regression

WORDS = {0: "passed", 1: "regression", 2: "not comparable", 3: "broken"}
_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One figure of one system, then and now. ``change`` is for the worse where it is above 0, relative for costs.

    ``low`` and ``high`` bound ``change`` (null where there is nothing to draw from); ``over`` says what the interval is
    over; ``p`` is two-sided, of the same units; ``p_holm`` is that of being worse, adjusted for all figures of the gate. Both
    are None where nothing moved.
    ``regressed`` with ``why``: ``limit`` (more than the tolerance ``limit``) or ``noise`` (more than chance does).
    ``unpaired`` questions have a value on one side only, and the figure is not over them.
    """

    dataset: str
    system: str
    kind: str
    figure: str
    before: float
    after: float
    change: float
    low: float | None = None
    high: float | None = None
    over: str = ""
    why: str = ""
    limit: float | None = None
    p: float | None = None
    p_holm: float | None = None
    unpaired: int = 0

    @property
    def regressed(self) -> bool:
        """Whether this figure fails the gate."""
        return bool(self.why)

    @property
    def tolerance(self) -> str:
        """How much worse this figure might have been and what chance may do, in words; empty where nobody said."""
        if self.limit is None:
            return ""
        unit = "points" if self.kind == "quality" else "%"
        most = f"tolerance {100 * self.limit:.1f} {unit}"
        return most if self.p_holm is None else f"{most}; Holm p = {self.p_holm:.3f}"

    def __str__(self) -> str:
        share = self.kind == "quality"
        one, two = (f"{100 * value:.1f}" if share else f"{value:,.4g}" for value in (self.before, self.after))
        by = f"{100 * abs(self.change):.1f} {'points' if share else '%'} {'worse' if self.change > 0 else 'better'}"
        if self.change == 0:
            by = "the same"
        between = ""
        if self.low is not None and self.high is not None and self.change:
            between = f" [{100 * self.low:.1f}, {100 * self.high:.1f}] {self.over}"
        reason = {"limit": "; beyond the tolerance", "noise": "; beyond noise"}.get(self.why, "")
        if self.unpaired:
            reason += f"; {self.unpaired} question{'' if self.unpaired == 1 else 's'} with a value on one side left out"
        allowed = f" ({self.tolerance})" if self.tolerance else ""
        return f"{self.dataset}, {self.system}, {self.figure}: {one} → {two}, {by}{between}{reason}{allowed}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A question whose value fell, or that failed (``after`` None). ``text`` is empty where the data are not at hand."""

    dataset: str
    system: str
    conversation: str
    question: str
    category: str
    before: float
    after: float | None
    text: str = ""

    def __str__(self) -> str:
        said = f": {self.text}" if self.text else ""
        now = "failed" if self.after is None else f"{self.after:.2f}"
        return f"{self.conversation}/{self.question} ({self.category}) {self.before:.2f} → {now}{said}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Worst:
    """The category in which a system lost most."""

    dataset: str
    system: str
    category: str
    questions: int
    before: float
    after: float

    def __str__(self) -> str:
        few = f"{self.questions} question{'' if self.questions == 1 else 's'}"
        return f"{self.category} ({few}): {100 * self.before:.1f} → {100 * self.after:.1f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The judgement on a run. ``code`` is the exit code; ``reasons`` say why there is nothing to judge (codes 2 and 3).

    ``lost`` and ``worst`` are of ``measure``, for every system that lost anything; ``changed`` is the first stage of a
    system whose fingerprint is another one; ``notes`` say how the judgement was come by.
    """

    code: int
    measure: str = ""
    reasons: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    lost: tuple[Lost, ...] = ()
    worst: tuple[Worst, ...] = ()
    changed: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """``passed``, ``regression``, ``not comparable`` or ``broken``."""
        return WORDS[self.code]

    @property
    def regressions(self) -> tuple[Finding, ...]:
        """The figures that fail the gate."""
        return tuple(one for one in self.findings if one.regressed)

    def check(self) -> Verdict:
        """Itself, if the run passed.

        Raises:
            Regression: a figure regressed.
            ConfigError: the run cannot be compared.
            BackendError: the run is broken.
        """
        if self.code == 1:
            raise Regression(str(self))
        if self.code == 2:
            raise ConfigError(str(self))
        if self.code == 3:
            raise BackendError(str(self), kind="empty", backend="the run")
        return self

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, *, every: bool = False) -> list[str]:
        """What there is to say, a line each; ``every``: each figure with its tolerance, not only those that regressed."""
        out = [f"gate: {self.word}"]
        if self.code in (0, 1):
            count = len(self.regressions)
            out[0] += f": {count} of {len(self.findings)} figures regressed"
        out += [f"  {one}" for one in self.reasons]
        out += [f"  {one}" for one in (self.findings if every else self.regressions)]
        places = [(one.dataset, one.system) for one in self.regressions]
        places += [(one.dataset, one.system) for one in self.lost]
        for dataset, system in dict.fromkeys(places):
            out += self._of(dataset, system)
        unseen = [name for name in self.changed if name not in {system for _, system in places}]
        out += [f"  {name}: first stage that is another: {self.changed[name]}" for name in unseen]
        return out + [f"  {one}" for one in self.notes]

    def markdown(self) -> str:
        """The same for a page or a summary of a build."""
        head, *rest = self.lines()
        lines = [f"## {head}", ""]
        lines += [f"{'  ' * ((len(one) - len(one.lstrip())) // 2 - 1)}* {one.strip()}" for one in rest]
        return "\n".join(lines) + "\n"

    def _of(self, dataset: str, system: str) -> list[str]:
        out = [f"  {dataset}, {system}:"]
        if system in self.changed:
            out.append(f"    first stage that is another: {self.changed[system]}")
        out += [
            f"    worst category by {self.measure}: {one}"
            for one in self.worst
            if (one.dataset, one.system) == (dataset, system)
        ]
        lost = [one for one in self.lost if (one.dataset, one.system) == (dataset, system)]
        if lost:
            out.append(f"    {len(lost)} question{'' if len(lost) == 1 else 's'} lost by {self.measure}:")
            out += [f"      {one}" for one in lost[:_SHOWN]]
            out += [f"      and {len(lost) - _SHOWN} more"] if len(lost) > _SHOWN else []
        return out
