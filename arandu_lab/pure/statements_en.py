"""English words of ``statements``; folded."""

# ruff: noqa: E501  (patterns read better on long lines)

from __future__ import annotations

BE = "is are be been being am isn aren".split()
WAS = "was were had did previously formerly originally".split()
MODAL = "must should shall can do does".split()
VERBS = """use adopt choose pick select employ utilize run have get live store keep write host own lead maintain manage
require need take give go want support include accept allow permit forbid ban prohibit expire start begin end finish close launch
happen occur last cost return send receive call depend connect listen point default serve deploy ship pass fail block enable disable
contain offer provide report belong work make hold follow prefer rely save read indent limit format sign approve merge rotate retry
cache log trigger publish sync encrypt validate handle exist see know meet ask pay charge rename assign license name base locate set
configure skip ignore round sort wait produce consume squash rebase review know like cover bill back import export restart reset refresh
recommend migrate move switch time throttle cap scale delete archive clean retain bind render ask answer carry stay remain stand sit""".split()
WEAK = """deploy limit test build release review log cache merge cost name report point default format sign bill
cover base end start call trigger back import export time cap scale archive rotate read head host access lead backup use
work return request reset sort wait retry charge stand""".split()
"""Verbs that are nouns as often."""
IRREGULAR = {
    "has": "have", "written": "write", "wrote": "write", "ran": "run", "chose": "choose", "chosen": "choose", "kept": "keep",
    "held": "hold", "led": "lead", "made": "make", "sent": "send", "took": "take", "taken": "take", "went": "go", "goes": "go",
    "began": "begin", "begun": "begin", "built": "build", "paid": "pay", "met": "meet", "got": "get", "gave": "give", "given": "give",
    "forbidden": "forbid", "banned": "ban", "stored": "store", "storing": "store", "uses": "use", "used": "use", "using": "use", "sat": "sit", "stood": "stand",
}  # fmt: skip
PAST_FORMS = "wrote ran chose kept held led made sent took went began built paid met got gave saw knew".split()
USE = "use adopt choose pick select employ utilize".split()
DATED = "start begin end finish close launch expire happen occur meet ship release schedule due".split()
TIMED = "run deploy trigger rotate open".split()
MULTIPLE = "support include accept contain offer provide handle know like cover see ship read".split()
DECIDED = "choose decide pick select adopt agree migrate move switch standardize".split()
FILLERS = """we our us ours team project company organization everyone everybody currently now always usually generally typically normally still already all
every each any the a an of it its this that these those there as so then to own just only exclusively simply basically by default both
new current today nowadays i you your my they their""".split()
PREPOSITIONS = "for in on at from into over under during until since via through per against across within between toward upon using if when unless while where who which to by as".split()
CONTENT_PREPOSITIONS = "with without before after".split()
INNER = "which who whom whose if when unless while where that because".split()
NOT = "not never none nobody nothing neither nor cannot hardly rarely seldom".split()
NO = "no"
HEDGES = """may might could would maybe perhaps probably possibly considering consider considered
thinking evaluating evaluated experimenting suggested suggest suggests""".split()
FUTURE = "will going soon eventually someday upcoming".split()
PARTIAL = (
    "some most few many several sometimes often occasionally mostly partly partially usually generally half".split()
)
EXCEPT = "except unless excluding apart but exception exceptions".split()
ADDITIVE = "also too additionally another besides plus either".split()
JOINS = "and or &".split()
ROLES = """lead leader owner maintainer manager ceo cto cfo coo founder captain boss responsible head chief director coordinator
primary default contact oncall on-call approver organizer chair""".split()
SLOTS = """database db datastore warehouse language framework provider cloud ci pipeline editor ide formatter linter license
broker queue cache bundler orchestrator chat tracker vcs registry region branch owner lead timezone currency indentation runtime gateway""".split()
SINGLE = """write by|write in|host on|host in|host at|own by|lead by|maintain by|manage by|locate in|base in|report to|license under|name
|call|default to|point to|assign to|set to|belong to|live in|live on|store in|store on|deploy to|format with
|manage with|back by|serve from|serve by|save in|keep in|lint with|bundle with|time in|sit behind|render by|bill in|pay in""".replace(
    "\n", ""
).split("|")
"""Verb (and the word that leads its value): of these there is one at a time."""

REWRITES = (
    (r"(\w)n't\b", r"\1 not"),
    (r"\bca not\b", "can not"),
    (r"\bwo not\b", "will not"),
    (r"\bcannot\b", "can not"),
    (
        r"\b(?:we |the team |the company |it was |they |i )?(?:have |has )?(?:decided|agreed|resolved|settled)(?: that| on)? not to (?:use )?(?=\w)",
        "we do not ",
    ),
    (
        r"\b(?:we |the team |the company |it was |they |i )?(?:have |has )?(?:decided|agreed|resolved)(?: that|:| to)? (?=\w)",
        "we ",
    ),
    (
        r"\b(?:we |the team )?(?:have |has )?(?:decided on|agreed on|settled on|standardi[sz]ed? on|go with|went with|opted for|rely on|relies on) (?=\w)",
        "we use ",
    ),
    (
        r"\b(?:plans?|planned|planning|propos(?:es?|ed|ing)|hop(?:es?|ed|ing)|intend(?:s|ed|ing)?|want(?:s|ed)?|wish(?:es|ed)?|would like) to\b",
        "might",
    ),
    (r"\b(?:have|has|need|needs) to\b", "must"),
    (r"\b(?:have|has) been\b", "is"),
    (r"\b(?:supposed|expected) to\b", "must"),
    (r"\b(?:avoid|avoids|refrain from|stay away from)(?: using)? (?=[A-Z\w])", "do not use "),
    (r"\bno longer\b", "not"),
    (r"\b(?:any ?more|any longer)\b", ""),
    (
        r"\b(?:have |has )?(?:stopped|quit|ceased|gave up|given up|dropped|abandoned|ditched|retired|removed|discontinued)(?: using| the use of)? (?=[A-Z]?\w+)",
        "not use ",
    ),
    (r"\bnot use (\w+ing)\b", r"not \1"),
    (r"\bused to (?!be used|\w+ing)(?=\w+)", "previously "),
    (r"\bnot only\b", "also"),
    (r"\bnot (?:all|every|everyone|always|necessarily)\b", "some"),
    (r"\bdue (?=on|at|by|in)\b", "expire "),
    (r"\b(?:takes?|took) place\b", "happen"),
)
MIGRATED = r"\b(?:migrated|moved|switched|changed|transitioned|migrating) (?:\w+ )?from (?P<old>[\w.+#-]+) to (?P<new>[\w.+#-]+)|\breplaced (?P<old2>[\w.+#-]+) (?:with|by) (?P<new2>[\w.+#-]+)"
USES = "use"
INSTEAD = r",? ?\b(?:instead of|rather than|in place of|as opposed to)(?: using)? (?P<v>[\w .+#-]+?)(?=$|[,;.]| for | in | on )|, (?:and )?not (?P<v2>[\w.+#-]+(?: [\w.+#-]+)?)(?=$|[;.])"
REASON = r",? \b(?:because|since (?:we|it|they|the)|so that|in order to|due to|to avoid|to prevent|as (?:it|they|we) |, which)\b.*$"
