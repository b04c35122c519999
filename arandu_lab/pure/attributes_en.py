"""English ways to state an attribute. Patterns fit a whole folded predicate (or what stands after "Ana's"). Tables only."""

# ruff: noqa: E501  (tables of words and patterns read better on long lines)

from __future__ import annotations

OCCUPATIONS = """accountant actor actress administrator agent analyst anaesthetist animator anthropologist apprentice archaeologist architect archivist artist
assistant astronaut astronomer attendant attorney auditor author baker banker barber barista bartender beekeeper biologist blacksmith bookbinder bookkeeper bookseller botanist
brewer bricklayer broker builder butcher butler buyer captain caregiver carer caretaker carpenter cartographer cashier ceo chef chemist choreographer clerk clown coach
cobbler columnist composer concierge conductor consultant contractor cook coordinator copywriter counsellor counselor courier cto curator dancer dealer decorator dentist designer
detective developer dietician dietitian diplomat director dispatcher diver doctor doorman draughtsman driver economist editor electrician engineer entomologist entrepreneur estimator
farmer farrier firefighter fisherman fishmonger florist footballer forester freelancer gardener geographer geologist glazier goldsmith grocer guard guide hairdresser historian
housekeeper hygienist illustrator inspector instructor intern interpreter investigator janitor jeweller jeweler joiner journalist judge juggler keeper lawyer lecturer librarian
linguist locksmith lumberjack machinist magician manager marketer mason mathematician mayor mechanic messenger meteorologist midwife milliner miner minister model monk musician nanny navigator
neurologist notary nun nurse nutritionist officer operator optician optometrist orderly painter paralegal paramedic pastor pathologist pediatrician pharmacist philosopher photographer physician
physicist physiotherapist pianist pilot planner plasterer plumber poet policeman policewoman politician porter postman potter priest principal printer producer professor programmer
psychiatrist psychologist publicist radiographer radiologist ranger realtor receptionist recruiter referee reporter researcher restorer rigger roofer saddler sailor salesman salesperson
saleswoman scientist sculptor seamstress secretary shepherd shoemaker sociologist soldier solicitor specialist statistician steward stewardess strategist stylist sommelier supervisor surgeon surveyor
tailor taxidermist teacher technician therapist tiler trader trainee trainer translator treasurer tutor typist undertaker upholsterer usher valet vet veterinarian waiter waitress
warden watchmaker weaver welder winemaker writer zookeeper zoologist"""

_PERSON = r"(?:called |named |a person called )?(?P<v>.+)"
_NAMED = r"(?:,? (?:called|named|by the name of) |, )(?P<v>.+)"
_MATE = r"(?:partner|girlfriend|boyfriend|fiancee?|significant other)"
_SPOUSE = r"(?:wife|husband|spouse)"
_SIBLING = r"(?:twin |half-?|older |younger |big |little |elder |step-?)*(?:sister|brother|sibling|twin)"
_MINE = r"(?:parent|mother|father|mom|mum|dad|stepmother|stepfather)"
_KID = r"(?:(?:older |younger |eldest |youngest |baby )?(?:son|daughter|child|kid|baby))"
_BOSS = r"(?:boss|manager|supervisor|line manager|advis[oe]r)"

ABOUT = (
    ("home", r"(?:still )?(?:lives?|living|is living|has lived|has been living|resides?|is residing|is based|dwells|(?:has )?settled(?: down)?|(?:has )?moved(?: back| house| out| over)?|(?:has )?relocated|makes (?:her|his|their) home|has (?:a |her |his |their )?home)(?: \w+ly| alone| with .+?)?(?: from .+?)? (?:in|at|on|to|near) (?P<v>.+)"),
    ("home", r"calls (?P<v>.+) home"),
    ("project", r"(?:works?|is working|has worked|has been working|collaborates|is collaborating) on (?P<v>.+)|(?:is|works) (?:part of|in|on) the team (?:of|on|behind|for) (?P<v2>.+)|contributes to (?P<v3>.+)"),
    ("role", r"(?:works?|is working|has worked|has been working|serves|is employed|earns (?:a|her|his|their) living|makes (?:a|her|his|their) living) as (?P<v>.+)"),
    ("employer", r"(?:works?|is working|has worked|has been working)(?: [\w-]+ly| nights| days| part-time| full-time)? (?:at|for|with) (?P<v>.+)|(?:is|has been) (?:employed|hired|engaged) (?:by|at|with) (?P<v2>.+)|is (?:an? |one of the )?(?:new |long-time )?(?:employee|employees) (?:of|at) (?P<v3>.+)"),
    ("employer", r"(?:has|got|has got|took|has taken|landed|found|holds) (?:a|the|an?other) (?:\w+ )?(?:job|position) (?:at|with) (?P<v>.+)|(?:has )?(?:started|began|begun) (?:work|working|a job|a new job|a position) (?:at|for|with) (?P<v2>.+)|(?:is|works) on the staff (?:of|at) (?P<v3>.+)|(?:has )?joined the (?:staff|team|payroll) (?:of|at) (?P<v4>.+)"),
    ("school", r"(?:studies|is studying|is a student|is enrolled|goes to school|goes to university|is an? \w+ student) (?:at|in the university of) (?P<v>.+)|attends (?P<v2>.+)"),
    ("study", r"(?:studies|is studying|has been studying|majors in|is majoring in) (?!(?:at|for|with|under|hard|abroad|in|on)\b)(?P<v>.+)"),
    ("study", r"(?:is (?:on|in|doing|taking|enrolled (?:on|in))|does|takes|is reading for|follows) (?:a |an |the |her |his |their )?(?:course|degree|programme|program|major|bachelor's|master's|phd|doctorate) (?:in|of) (?P<v>.+)|is (?:a|an) (?P<v2>[\w ]+) student|is a student of (?P<v3>.+)"),
    ("partner", rf"is (?:now )?(?:the |a )?{_MATE} of (?P<v>.+)|is (?P<v2>.+?)'s? {_MATE}|(?:is |has been )?(?:dating|seeing|courting|going out with|engaged to) (?P<v3>.+)|dates (?P<v4>.+)|is (?:in a relationship|romantically involved|in love|together) with (?P<v5>.+)|is with (?P<v8>[^ ]+(?: [^ ]+)?)|(?:has|found) a {_MATE}{_NAMED.replace('<v>', '<v6>')}|and (?P<v7>.+) are (?:a couple|partners|together|dating|in a relationship)"),
    ("spouse", rf"is (?:the )?{_SPOUSE} of (?P<v>.+)|is (?P<v2>.+?)'s? {_SPOUSE}|(?:is|got|has been) married to (?P<v3>.+)|married (?P<v4>.+)|has a {_SPOUSE}{_NAMED.replace('<v>', '<v5>')}|and (?P<v6>.+) are married"),
    ("boss", rf"(?:reports?|answers) to (?P<v>.+)|works under (?P<v2>.+)|is (?:managed|supervised|led) by (?P<v3>.+)|has (?P<v4>.+) (?:as|for) (?:a |an |her |his |their |the )?{_BOSS}|has a (?:new )?{_BOSS}{_NAMED.replace('<v>', '<v5>')}"),
    ("origin", r"(?:is|comes|hails|came)(?: originally)? from (?P<v>.+)|was born(?: and raised)? in (?P<v2>(?!\d)(?!(?:january|february|march|april|may|june|july|august|september|october|november|december|the)\b).+)|is a native of (?P<v3>.+)"),
    ("birthday", r"was born on (?P<v>.+)|(?:has|celebrates) (?:a |her |his |their )?birthday on (?P<v2>.+)"),
    ("age", r"(?:is|turned|has turned) (?P<v>[\w-]+)(?: years old| years of age)"),
    ("allergy", r"is (?:severely |very |badly )?(?:allergic|intolerant) to (?P<v>.+)|(?:has|suffers from) an? (?:\w+ )?allergy to (?P<v2>.+)|has an? (?P<v3>[\w ]+?) allergy"),
    ("member", r"is (?:a|an|the) (?:\w+ )?member of (?P<v>.+)|belongs to (?P<v2>.+)|is part of (?P<v3>.+)"),
    ("sibling", rf"is (?:a |an |the )?{_SIBLING} of (?P<v>.+)|is (?P<v2>.+?)'s? {_SIBLING}|has (?:a|an|one) {_SIBLING}{_NAMED.replace('<v>', '<v3>')}|and (?P<v4>.+) are (?:siblings|sisters|brothers|twins)"),
    ("child", rf"is (?:a |an |the )?{_MINE} of (?P<v>.+)|is (?P<v2>.+?)'s? {_MINE}|has (?:a|an|one) {_KID}{_NAMED.replace('<v>', '<v3>')}"),
    ("parent", rf"is (?:a |an |the )?{_KID} of (?P<v>.+)|is (?P<v2>.+?)'s? {_KID}|has (?:a|an) {_MINE}{_NAMED.replace('<v>', '<v3>')}"),
    ("friend", r"is (?:a |an |the )?(?:\w+ )?friend of (?P<v>.+)|is (?:\w+ )?friends with (?P<v2>.+)|has (?:a|an) (?:\w+ )?friend(?:,? (?:called|named) |, )(?P<v3>.+)|and (?P<v4>.+) are (?:\w+ )?friends|is (?P<v5>.+?)'s? (?:\w+ )?friend"),
    ("named", r"(?:has|has got|owns|keeps|adopted|has adopted) (?:a|an|another|one) (?P<x>[\w -]+?)(?:,? (?:called|named|by the name of) )(?P<v>.+)"),
    ("language", r"(?:speaks|can speak|is able to speak|knows how to speak) (?P<v>.+)|is (?:fluent|proficient|conversational) in (?P<v2>.+)|is a (?:native |fluent )?speaker of (?P<v3>.+)"),
    ("plan", r"(?:plans|is planning|intends|means|hopes|has plans) (?:on |to have |to go to |to |for )?(?P<v>.+)|has (?P<v2>.+) planned"),
    ("likes", r"(?:likes?|loves?|adores?|enjoys?|is (?:a (?:\w+ )?(?:fan|lover) of|(?:\w+ )?(?:fond of|crazy about|mad about|keen on|passionate about|hooked on|into))) (?P<v>.+)"),
    ("dislikes", r"(?:dislikes?|hates?|detests?|loathes?|despises?|abhors?|(?:cannot|can't|can not) (?:stand|bear|abide)|is averse to) (?P<v>.+)"),
    ("hobby", r"has (?P<v>.+) as (?:a |her |his |their )?(?:hobby|pastime)"),
    ("health", r"(?:suffers from|is suffering from|is diagnosed with|has been diagnosed with|was diagnosed with) (?P<v>.+)"),
    ("role?", r"(?:is|became|has become|has been|is working as)(?: made)? (?P<v>.+)"),
    ("owns", r"(?:owns?|possesses|has got|has|is the owner of) (?P<v>(?:a|an|the|two|three|four|no|her own|his own) .+)"),
    ("has", r"has (?P<v>.+)"),
)  # fmt: skip

OF = {
    "home": r"home|house|apartment|flat|address|residence|place of residence|city|town",
    "employer": r"employer|workplace|place of work|company",
    "role": r"job|profession|occupation|job title|trade|line of work|career",
    "study": r"major|course|course of study|degree|field of study|subject",
    "partner": _MATE,
    "spouse": _SPOUSE,
    "boss": _BOSS,
    "origin": r"hometown|home town|birthplace|place of birth|native city|native town",
    "birthday": r"birthday|date of birth",
    "allergy": r"allergy",
    "sibling": _SIBLING,
    "child": _KID,
    "parent": _MINE,
    "friend": r"(?:\w+ )?friend",
    "named": r"pet|cat|dog|parrot|tortoise|hamster|rabbit|horse|bird|goldfish|fish|turtle|guinea pig|kitten|puppy|canary|lizard|snake",
    "project": r"(?:current |new |side )?project",
    "hobby": r"hobby|pastime",
    "plan": r"plans? (?:for|of)",
}  # fmt: skip

COPULA = r"(?:is|are|was)(?: (?:in|on|at|now|called|named))*"

TRUE_NO_MORE = (r"it is (?:no longer|not) (?:true|the case) (?:any ?more )?that", r"it(?: is|'s) not so that")
ENDED = (
    (r"(is|are|was|has|can) no longer (.+)", r"\1 \2"),
    (r"no longer (.+)", r"\1"),
    (r"(?:does not|do not|did not) (.+?) (?:any ?more|any longer)", r"\1"),
    (r"(is|are|has|can) not (.+?) (?:any ?more|any longer)", r"\1 \2"),
    (r"(?:has |have )?(?:stopped|quit|ceased|finished)(?: being| to be)? (\w+ing\b.*)", r"\1"),
    (r"(?:has )?(?:stopped|ceased) (?:being|to be) (.+)", r"is \1"),
    (r"(?:has |have )?(?:left|quit|resigned from) (?:(?:her|his|their|the) job (?:at|with) )?(.+)", r"works at \1"),
    (r"used to (.+)", r"\1"),
)  # fmt: skip
LET_GO = r"(?:has |have )?(?:given up|gave up|quit|dropped|abandoned|dropped out of|stopped|cancelled|canceled|called off|backed out of)(?: on)?(?: (?:the|her|his|their) (?:plans?|idea|hobby) (?:for|of|to))? (?P<v>.+?)(?: as (?:a |her |his |their )?(?:hobby|pastime))?"
OFF = r"(?:off|cancelled|canceled|called off|over|dead|not happening|no longer on|postponed indefinitely|no more)"
DENIED = (
    (r"(?:does not|do not|did not|cannot|can not|will not|would not) (?:even |really |ever )?(.+)", r"\1"),
    (r"(is|are|was|has|have|had|can) (?:not|never)(?: yet| actually| really)? (.+)", r"\1 \2"),
    (r"never (.+)", r"\1"),
    (r"has no (.+)", r"has a \1"),
    (r"has neither (.+)", r"has a \1"),
)  # fmt: skip
FILLERS = r"\b(?:now|currently|still|also|really|already|actually|nowadays|these days|at the moment|at present|right now|lately|presently|truly|absolutely|simply|again|apparently)\b"
HABIT = (
    r"(?:has|keeps|makes) (?:the |a |an? \w+ )?habit(?: of|:| is) (.+)",
    r"(?:will|shall|is going to|is due to) (?!not\b|be\b)(.+)",
    r"(?:has |have )?(?:started|begun|began|taken to|took to|gone back to) (\w+ing\b(?! (?:at|for|with)\b).*)",
)
TAIL = r"(?:,|;|\(| - |\bsince\b|\bbecause\b|\bwhere\b|\bwho\b|\bwhich\b|\bafter\b|\buntil\b|\bas of\b|\bfor (?:\d|a |two|three|four|five|six|seven|eight|nine|ten|many|several|about|january|february|march|april|may|june|july|august|september|october|november|december)|\b(?:in|from) (?:\d{4}|early|late|mid|january|february|march|april|may|june|july|august|september|october|november|december)\b|\b(?:on|from|by) \d|\b(?:in|on|from|by) the (?:week(?:end)?|spring|summer|autumn|winter) of \d|\b(?:on|by) (?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b|\bwith\b|\balong with\b|\bevery\b|\b(?:last|next) (?:week|month|year)|\bso much|\bvery much|\ba lot$|\bthese days)"
ROLE_TAIL = r"\b(?:at|for|in|of|on)\b"
SMALL = "the a an of to his her their its own some"
