"""English words and question patterns of ``cues``; folded."""

from __future__ import annotations

QUESTIONS = {
    "when": (r"\bwhen\b", r"\b(?:what|which) (?:date|day|month|year|time|week|season)\b", r"\bhow long ago\b"),
    "where": (r"\bwhere\b", r"\b(?:what|which) (?:country|city|place|state|town|neighbou?rhood|restaurant)\b"),
    "who": (r"\bwho\b", r"\bwhom\b", r"\bwhose\b", r"\bname\b"),
    "many": (r"\bhow (?:many|much|long|often|old)\b", r"\bnumber of\b"),
    "why": (r"\bwhy\b", r"\breason", r"\bmotivat", r"\binspir"),
    "feel": (r"\bfeel", r"\bhow (?:is|was|does|did|do)\b"),
    "would": (r"\bwould\b", r"\bmight\b", r"\blikely\b", r"\bcould\b"),
    "plural": (
        r"\b(?:what|which) (?!does\b|is\b|was\b|has\b)[a-z]+s\b",
        r"\bwhat (?:are|were)\b",
        r"\b(?:things|both|in common|and|activities|hobbies|places|all the)\b",
    ),
}
"""Kind of question -> patterns on the folded text."""

AUXILIARY = "is are was were does do did has have had can could would will".split()

ASKING = """did does do what which who whom whose when where why how many much long often kind type would could might likely
both ever get got currently during etc thing things""".split()

MONTHS = "january february march april may june july august september october november december".split()

TIME = """yesterday today tomorrow tonight ago last next week weeks weekend month months year years day days morning
evening night since recently soon summer winter spring autumn fall monday tuesday wednesday thursday friday saturday
sunday birthday anniversary""".split()

NUMBER = """one two three four five six seven eight nine ten eleven twelve couple few several dozen hundred thousand once
twice first second third""".split()

PLACE = "in at from to near into visited went visit there".split()

KIN = """mom mother dad father parents brother sister son daughter wife husband friend friends family kids cousin uncle aunt
grandma grandpa grandmother grandfather boss colleague neighbor neighbour partner boyfriend girlfriend teacher coach""".split()

REASON = "because since so reason inspired motivated help helps want wanted love".split()

FEELING = """feel feeling felt happy sad glad excited proud love loved amazing great grateful thankful nervous awesome hard
tough""".split()

SELF = "i my we our me".split()
