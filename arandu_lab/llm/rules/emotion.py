"""The feeling of a message: words and faces vote for a label; marks and capitals give the strength."""

# ruff: noqa: E501  (tables of words and patterns read better on long lines)

from __future__ import annotations

import re
from typing import Any

from arandu_lab.llm.rules.language import Language
from arandu_lab.pure.text import fold

_WORDS = {
    "joy": "happy glad excited great amazing awesome love wonderful yay fantastic thrilled delighted congrats congratulations celebrate fun best "
           "woohoo lol haha hahaha feliz alegre animada animado adorei amei maravilha otimo oba eba parabens incrivel kkk kkkk kkkkk rs rsrs linda "
           "lindo sensacional 😀 😃 😄 😁 😂 🤣 😊 😍 🥰 🎉 🥳 ❤ ❤️ 💕 😻 🙌",
    "sadness": "sad depressed crying cried lonely miss unhappy heartbroken grief lost died funeral sorry broke triste chorei chorando saudade saudades "
               "sozinha sozinho deprimida deprimido morreu faleceu luto perdi velorio 😢 😭 😞 😔 💔 🥺",
    "anger": "angry furious mad annoyed annoying hate frustrated frustrating pissed ridiculous unacceptable outrageous raiva furioso furiosa irritada "
             "irritado odeio absurdo ridiculo puta puto inaceitavel droga merda 😠 😡 🤬",
    "fear": "scared afraid worried anxious nervous terrified panic fear medo assustada assustado preocupada preocupado ansiosa ansioso nervosa nervoso "
            "panico apavorada apavorado 😨 😰 😱",
    "surprise": "wow surprised shocked unbelievable unexpected omg whoa uau nossa surpresa surpreso chocada chocado eita oxe caramba 😮 😲 🤯",
    "gratitude": "thanks thank grateful appreciate thankful obrigada obrigado grata grato agradeco valeu gratidao 🙏",
    "pride": "proud accomplished achieved graduated promoted orgulho orgulhosa orgulhoso conquistei formei promovida promovido",
    "disgust": "disgusting gross yuck eww nojo nojento eca 🤢 🤮",
    "tiredness": "tired exhausted burned sleepy drained cansada cansado exausta exausto esgotada esgotado sono 😴 🥱",
    "hope": "hope hopefully wish looking espero tomara torcendo 🤞",
}  # fmt: skip
_LABEL = {word: label for label, words in _WORDS.items() for word in words.split()}
_HIGH = frozenset("joy anger fear surprise pride".split())
_NOT = frozenset("not no never nao nunca nem sem".split())
_TOKEN = re.compile(r"\w+|[\U0001F300-\U0001FAFF☀-➿]️?")


def detect(message: str, language: Language) -> dict[str, Any]:
    """The emotion item of a message; ``neutral`` where nothing is felt.

    >>> detect("I'm so happy!!! We won!", "en")["label"], detect("Moro em Recife", "pt")["label"]
    ('joy', 'neutral')
    """
    text = message[:4000]
    votes: dict[str, float] = {}
    before = ""
    for match in _TOKEN.finditer(fold(text)):
        label = _LABEL.get(match[0]) or _LABEL.get(match[0].rstrip("️"))
        if label and before not in _NOT:
            votes[label] = votes.get(label, 0.0) + 1.0
        before = match[0]
    marks = min(text.count("!"), 4)
    capitals = sum(word.isupper() and len(word) > 3 for word in text.split()[:200])
    if not votes:
        energy = "high" if marks > 2 or capitals > 2 else "medium" if marks else "low"
        return {"label": "joy" if marks > 2 else "neutral", "intensity": round(0.2 + 0.1 * marks, 2), "energy": energy}
    label = max(sorted(votes), key=lambda name: votes[name])
    strength = min(1.0, 0.45 + 0.12 * min(votes[label], 3) + 0.08 * marks + 0.05 * min(capitals, 3))
    energy = (
        "low" if label in ("sadness", "tiredness") and marks < 2 else "high" if marks > 1 or capitals > 1 else "medium"
    )
    if label in _HIGH and strength > 0.75:
        energy = "high"
    return {"label": label, "intensity": round(strength, 2), "energy": energy}
