"""From a name to a model, and from roles to models. Nothing heavy is imported before a model is really asked."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.llm.backend import Backend
from arandu_lab.llm.mind import ROLES, Minds

Spec = str | Backend


def open_backend(spec: Spec) -> Backend:
    """A backend by name; an object that is one passes through.

    ``offline/rules``        the rules, no network
    ``gguf:/path/file.gguf`` a local model through xllamacpp (extra ``local``)
    anything else            a litellm model string such as ``openai/gpt-4.1-mini``

    >>> open_backend("offline/rules").name
    'offline/rules'

    Raises:
        ConfigError: an offline model of no such name, an empty name, or an object that cannot complete.
    """
    if not isinstance(spec, str):
        if not (hasattr(spec, "complete") and hasattr(spec, "name")):
            raise ConfigError(f"model {type(spec).__name__}: wanted a model string or an object with name and complete")
        return spec
    if spec == "offline/rules":
        from arandu_lab.llm.offline import OfflineRules

        return OfflineRules()
    if spec.startswith(("gguf:", "gguf/")):
        from arandu_lab.llm.local import Gguf

        return Gguf(spec[len("gguf:") :])
    if not spec.strip() or spec.startswith("offline"):
        raise ConfigError(f"model {spec!r}; {nearest(spec, ['offline/rules'])}")
    if difflib.get_close_matches(spec, ["offline/rules"], cutoff=0.8):
        raise ConfigError(f"model {spec!r}; {nearest(spec, ['offline/rules'])}")
    from arandu_lab.llm.litellm import LiteLLM

    return LiteLLM(spec)


def open_minds(spec: Spec | Minds | Mapping[str, Spec], **options: Any) -> Minds:
    """Models by role: one spec for all, or ``{"default": …, "judge": …}``. ``options`` go to ``Minds``.

    >>> open_minds({"default": "offline/rules", "judge": "offline/rules"}).names["extract"]
    'offline/rules'

    Raises:
        ConfigError: a role of no such name, or no ``default`` while some role has no model.
    """
    if isinstance(spec, Minds):
        return spec
    if not isinstance(spec, Mapping):
        return Minds(open_backend(spec), **options)
    for role in spec:
        if role not in {*ROLES, "default"}:
            raise ConfigError(f"role {role!r}; {nearest(role, [*ROLES, 'default'])}")
    missing = [role for role in ROLES if role not in spec]
    if missing and "default" not in spec:
        raise ConfigError(f"no model for {', '.join(missing)}, and no 'default'")
    opened: dict[str, Backend] = {}
    roles: dict[str, Backend] = {}
    for role, one in spec.items():
        roles[role] = opened.setdefault(one, open_backend(one)) if isinstance(one, str) else one
    default = roles.pop("default", None) or roles[ROLES[0]]
    return Minds(default, roles, **options)
