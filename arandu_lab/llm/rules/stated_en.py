"""English constructions: what is stated, with which cue words, in which shape. The order is the priority."""

# ruff: noqa: E501  (tables of patterns read better on long lines)

from __future__ import annotations

import re

_W = r"(?-i:[A-ZÀ-Ý](?:[\w&’-]|\.(?=\w)|'(?!s\b))*)"
_NAME = rf"{_W}(?: {_W}){{0,3}}"
_KIN = r"(?:boy|girl|brother|sister|mother|father|mum|mom|dad|son|daughter|wife|husband|boss|friend|flatmate|roommate|cousin|aunt|uncle|partner)"
_ADV = r"(?: (?:still|now|also|really|just|currently|already|finally|recently|always|actually|definitely|officially|very much|certainly|never ever))*"
_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|March|April|May|June|July|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
_DAY = r"(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)"
_COUNT = (
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a few|a couple of|several|some|many)"
)
_WHEN = (
    rf"(?:(?:on|in|by|from|since|for|until|till|around|at|back in|early in|late in|this|last|next)(?: the)?(?: (?:early|late|mid))? (?:\d[\d:/.-]*(?:st|nd|rd|th)?|{_MONTH}\b|{_DAY}\b|(?:last|next|this|early|late)\b|(?:spring|summer|autumn|fall|winter|morning|evening|afternoon|weekend|week|month|year|end|start|beginning|middle|\d+(?:st|nd|rd|th))\b|{_COUNT} (?:days?|weeks?|months?|years?)\b)"
    rf"|(?:last|next|this) \w+|{_COUNT} (?:days?|weeks?|months?|years?) ago|the (?:day|week|month|year|night|morning|weekend) (?:before|after)|at (?:Christmas|Easter|Thanksgiving|New Year|the weekend|night)|for (?:Christmas|good)|the other day|yesterday|today|tonight|tomorrow|{_MONTH} \d)"
)
_END = (
    rf"(?=\s*(?:$|[,;:.!?()…—–]| - )|\s+(?:but|so|because|since|when|while|though|although|now|these days|nowadays|any ?more|any longer|anyway|at the moment|right now|at present|lately|"
    rf"instead|until|till|before|after|once|already|either|at all|every|too|as well|again|as ever|not (?-i:[A-Z])\w+|on (?:my|his|her) (?:name|badge|card)|for (?:good|ever|now|years|ages)|and (?:\w{{3,}}ed|bought|sold|got|took|went|made|found|left|gave|kept|I|he|she|we|they|it|my|his|her|that|now|so|then|have|has|had|am|is|are|was|live|lives|work|works|stud\w+|did|will|don't|never|{_W} (?:is|has|was|\w+s\b))|{_WHEN})\b)"
)
_V = r"(?P<v>[^\s,;:.!?()][^,;:.!?()]{0,60})"
_O = r"(?P<o>[^\s,;:.!?()][^,;:.!?()]{0,60}?)"
_PROPER = rf"(?:the |The )?{_W}(?: (?:(?:of|the|de|da|do|du|del|&) ){{0,2}}(?:{_W}|\d{{1,3}}\b))*"
_BOTH = {
    "S": rf"(?<![\w'’])(?P<s>I|we|We|he|He|she|She|{_NAME})",
    "P": rf"(?<![\w'’])(?P<p>my|My|our|Our|his|His|her|Her|{_NAME}(?:'s|’s|'(?= )))",
    "V": _V,
    "VV": r"(?P<v>[^\s,;:.!?()][^,;:.!?()]{0,60}?)",
    "O": _O,
    "N": rf"(?P<v>{_PROPER})(?: \([^)]{{1,20}}\))?",
    "ON": rf"(?P<o>{_PROPER})(?: \([^)]{{1,20}}\))?",
    "H": r"(?P<v>[^\s,;:.!?()][^,;:.!?()]{1,60}?)(?=\s*(?:$|[,;:.!?()…]| now\b| these days| any ?more))",
    "E": _END,
    "A": _ADV,
    "BE": r"(?:am|is|are|was|were|be|been|has been|have been)",
    "HAVE": r"(?:have|has|had)",
    "MORE": r"(?: any ?more| any longer| now)",
    "NOT": r"(?:not|no longer|never)",
    "WHEN": _WHEN,
    "PET": r"(?P<k>cat|dog|puppy|kitten|hamster|rabbit|bunny|parrot|tortoise|turtle|guinea pig|goldfish|fish|lizard|gecko|iguana|snake|horse|pony|ferret|canary|budgie|budgerigar|cockatiel|hen|chicken|duck|rat|mouse|chinchilla|hedgehog|spaniel|terrier|poodle|labrador|retriever|beagle|greyhound|bird|frog|spider|tarantula|goat|pig|donkey|axolotl)",
    "SIB": r"(?P<k>(?:(?:big|little|older|younger|twin|half|elder|baby)[- ])?(?:brother|sister|twin|sibling))",
    "CHILD": r"(?P<k>son|daughter|kid|child|baby|boy|girl|little one|little boy|little girl|stepson|stepdaughter)",
    "LOVE": r"(?:boyfriend|girlfriend|partner|other half|significant other|better half|lover|sweetheart|fianc[eé]e?)",
    "MATE": r"(?:flat|house|room|apartment)[- ]?mate",
    "BOSS": r"(?:(?:line )?manager|boss|supervisor|team lead(?:er)?|superior|head)",
    "DATE": rf"(?P<v>(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|{_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?)",
    "_NAME_": _NAME,
    "_W1_": _W,
    "_GROUP_": r"(?:the )?(?-i:[A-Z][\w'-]*(?: (?:of |the )*[A-Z][\w'-]*)*)(?<=\w)(?=\b)",
    "_PN_": rf"(?P<v>{_PROPER})",
    "_PETS_": r"(?:\w+ )?(?:cat|dog|puppy|kitten|hamster|rabbit|parrot|tortoise|guinea pig|goldfish|lizard|snake|horse|ferret|canary|son|daughter|brother|sister|friend|boyfriend|girlfriend|lot|bit|few|cold|feeling|question|problem|job|allergy|meeting|point|chance|laugh|boss|manager|kid|baby|break|while|plan|idea)\b",
    "LANG": r"(?P<v>(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?)|sign language)",
}


ENDS = re.compile(_END)
"""Where a value ends."""
NAME, PROPER, PET, DATE = _NAME, _PROPER, _BOTH["PET"], _BOTH["DATE"]
_ALIASES = {"{S2}": "{S}", "{P2}": "{P}", "{N2}": "{N}"}


def filled(shape: str) -> str:
    """The regular expression of a shape: ``{S}`` a subject, ``{P}`` an owner, ``{V}`` a value, ``{N}`` a name, ``{O}`` what is over."""
    for alias, key in _ALIASES.items():
        shape = shape.replace(alias, key)
    for key, text in _BOTH.items():
        shape = shape.replace("{" + key + "}", text)
    return _once(shape)


def _once(shape: str) -> str:
    """Each named group once: further ones of a name get a number, and are read as the first."""
    seen: dict[str, int] = {}

    def renamed(match: re.Match[str]) -> str:
        seen[match[1]] = seen.get(match[1], 0) + 1
        return match[0] if seen[match[1]] == 1 else f"(?P<{match[1]}{seen[match[1]]}>"

    return re.sub(r"\(\?P<([a-z]+)\d*>", renamed, shape)


# (cues in lower case, attribute ("-": over), shape)
TABLE: tuple[tuple[str, str, str], ...] = (
    # lives_in
    ("home|place", "lives_in", r"{S} {HAVE} (?:got )?a (?:place|home|flat|house) in {N}(?:,| )"),
    ("home|place", "-lives_in", r"{N} (?:is|are) (?:not|no longer) (?:home|where) (?:for )?(?P<s>me|us)\b"),
    ("home|place", "-lives_in", r"{N} (?:is|are) (?:not|no longer) {P} home\b"),
    ("home|place|base|address", "lives_in", r"{P} (?:home|place|house|flat|base|address|home base|city) (?:is|remains|stays){A} (?:in |at )?{N}(?:{E}| {A}|, not {ON})"),
    ("home", "lives_in", r"(?<![\w'])(?:home|Home) (?:for (?P<s>me|us) )?(?:is|remains|has become){A} {N}"),
    ("home", "lives_in", r"{S} {NOT} (?:have )?moved, home is {N}"),
    ("home", "lives_in", r"{ON}(?: behind)?(?:,| and) {N} is (?:my )?home now"),
    ("home", "lives_in", r"{S}{A} (?:call|calls|called|made|makes) {N} (?:my |his |her |our )?home\b"),
    ("home", "lives_in", r"{N} (?:is|has been|has become) (?:my )?home(?: for (?:me|us))?(?: now| these days|$|[,.;])"),
    ("where", "lives_in", r"{N} is where {S}{A} (?:live|lives|am living|is living|am based|is based|call home|am settled)\b"),
    ("goodbye|bye|farewell", "lives_in", r"(?:goodbye|bye(?:-bye| bye)?|farewell|so long) {ON}, {S} (?:live|am living|am) in {N}"),
    ("moved|relocat", "lives_in", r"{S}(?: {HAVE})?{A} (?:moved|relocated)(?: house| home| city| cities)?(?: again| once more)?,? (?:from {ON} )?(?:this time )?(?:to|over to|down to|up to|back to) {N}"),
    ("moved|relocat", "lives_in", r"(?:new address|address update|change of address): {S} {HAVE} moved to {N}"),
    ("moved|relocat", "lives_in", r"(?:it was|was) [^,.]{2,30} that {S} (?:moved|relocated) to {N}"),
    ("settled|packed", "lives_in", r"{S}(?: {HAVE})?{A} (?:settled(?: down)?|put down roots|packed (?:everything )?up and (?:moved|went)(?: to live)?|went to live)(?: in| to) {N}"),
    ("left", "lives_in", r"{S}(?: {HAVE})?{A} left {ON}(?: behind)?(?:,| and|, and) (?:now )?(?:live|lives|am living|is living|moved|settled)(?: now)? (?:in|to) {N}"),
    ("address", "lives_in", r"{P} address (?:has not changed|is unchanged|stays the same|has stayed the same)[^.]{0,20}?(?:still|is) (?:in )?{N}"),
    ("still", "lives_in", r"(?:address|where I live|home|city)\b[^.?]{0,12}, (?:it is )?still (?:in )?{N}"),
    ("living", "lives_in", r"^(?:still )?living in {N}"),
    ("days|time|life", "-lives_in", r"{P} (?:days|time|life|years|chapter) (?:of living |living )?in {N} (?:are|is) (?:over|behind|done|finished|at an end)"),
    ("moved|out of|away", "-lives_in", r"{S}(?: {HAVE})?{A} (?:moved|relocated) (?:out of|away from) {N}"),
    # from
    ("hail|come|from|roots|born", "from", r"{S}{A} (?:hail|hails|come|comes|came)(?: originally)? from {N}"),
    ("where", "from", r"{N} is where {S} (?:come|comes|came|grew|was born|was raised|hail|hails)\b(?: from| up)?"),
    ("home town|hometown|birthplace", "from", r"{N} is {P} (?:home ?town|birthplace|native city|native town)"),
    ("home town|hometown|birthplace", "from", r"{P} (?:home ?town|birthplace|native (?:city|town)) is {N}"),
    ("native of|child of|born", "from", r"{S} (?:am|is) (?:a |an )?(?:native of|child of|born and (?:bred|raised) in|a son of|a daughter of|originally from) {N}"),
    # works_at
    ("left|quit|jump|swap|switch|traded|went from|ditch|resign", "works_at", r"{S}(?: {HAVE})?{A} (?:left|quit|ditched|dropped|swapped|traded|jumped ship from|switched from|went from|moved (?:over )?from|resigned from|walked out of)(?: (?:my|his|her|the) (?:old )?(?:job|post|position|role) (?:at|with))? {ON},? (?:for|to|and|to join|to work (?:at|for))(?: (?:now )?(?:work|works|working|started|joined|am|is|a|an|new|job|role|post|position|at|for|with|by|working))* {N}"),
    ("left|quit|chang|jump|switch", "works_at", r"{S}(?: {HAVE})?{A} (?:left|quit)(?: (?:my|his|her|the) (?:old )?(?:job|post|position) (?:at|with))? {ON},? (?:and )?(?:I |he |she )?(?:now )?(?:work|works|am working|is working)(?: now)? (?:at|for) {N}"),
    ("chang|switch", "works_at", r"{S}(?: {HAVE})?{A} (?:changed|switched|swapped) (?:jobs?|employers?|companies|company|firms?),? (?:and|so)(?: I am| he is| she is| I| he| she)? (?:now )?(?:work|works|working|am working|is working)(?: now)? (?:at|for|with) {N}"),
    ("employer|payslip|pays|paying|pay", "works_at", r"(?:the name on {P} pay ?(?:slip|check|cheque|roll)|{P} (?:new |current |present )?(?:employer|company|firm|workplace)) (?:is|reads|says)(?: still| now)? {N}"),
    ("employer", "works_at", r"{N} (?:is|remains|has become)(?: still| now)? {P} (?:new |current )?employer"),
    ("employer", "-works_at", r"{N} (?:is not|is no longer) {P} employer"),
    ("employer|job|workplace|firm|company", "works_at", r"(?<![\w'])(?:[Nn]ew|[Ss]ame) (?:employer|job|workplace|firm|company|gig)(?: as (?:ever|before|always))?(?::|,| is| with| at) {N}"),
    ("job front|work front", "works_at", r"(?:job|work|career) front, still (?:with|at) {N}"),
    ("changed employers|changed jobs|switched", "works_at", r"{S} {HAVE} not (?:changed|switched) (?:employers?|jobs?),? (?:it is |I am |he is |she is )?(?:still )?(?:at |with )?{N}"),
    ("paying|pays", "works_at", r"{ON} is (?:in the past|history|behind me),? (?:and )?(?:it is )?{N} (?:that |who )?(?:is |now )?(?:paying|pays) (?P<s>me)"),
    ("paying|pays", "works_at", r"(?:it is|it was|was) {N} (?:that |who )?(?:now )?(?:paying|pays|paid|employing|employs) (?P<s>me|him|her)"),
    ("payroll|staff|employ|job", "works_at", r"{S} (?:am|is)(?: still| now)?(?: on the (?:payroll|staff|books)(?: at| of)?|(?: a member)? on staff at| employed (?:by|at)| an employee (?:of|at)| staff at) {N}"),
    ("staff|payroll", "works_at", r"{S}(?: {HAVE})? joined the (?:staff|team|payroll|workforce) (?:of|at) {N}"),
    ("job", "works_at", r"{S} {HAVE} (?:got |taken |landed |found )?(?:a|my|his|her) (?:new )?job (?:is )?(?:at|with) {N}"),
    ("job", "works_at", r"{P} job is (?:still |now )?(?:at|with) {N}"),
    ("hired|took", "works_at", r"{N} (?:hired|recruited|employed|headhunted|took on|snapped up) (?P<s>me|us|him|her|{_NAME_})"),
    ("let", "-works_at", r"{N} (?:let (?P<s>me|him|her) go|(?:fired|sacked|dismissed|laid off|made redundant) (?P<p>me|him|her))"),
    ("last day|laid off|sacked|redundant", "-works_at", r"{S}(?: {HAVE})? (?:had (?:my|his|her) last day(?: at work)?|been laid off|been sacked|been fired|been made redundant|worked (?:my|his|her) last (?:day|shift))(?: at| by| from) {N}"),
    ("quit|left|handed", "-works_at", r"{S}(?: {HAVE})?{A} (?:quit|left|handed in (?:my|his|her) notice at|resigned from|packed in)(?: (?:my|the|his|her) (?:old )?(?:job|post|position) (?:at|with))? {N}(?=$|[,.;!]| (?:yesterday|today|last|on|in|for good))"),
    # has_role
    ("retrain|switch|career|chang|moved|went", "has_role", r"{S}(?: {HAVE})?{A} (?:switched|moved|went|changed|gone|jumped|retrained)(?: (?:careers?|jobs?|professions?|trades?|roles?|over))? from (?:being )?(?:an? )?{O} to (?:being )?(?:an? )?{V}"),
    ("career|job", "has_role", r"(?:^|[,;:] )[Ff]rom (?:an? )?{O} to (?:an? )?{VV}[,:] (?:that is )?(?:my|quite a|a) (?:career|job|life) (?:change|move|switch)"),
    ("retrain|switch|chang", "has_role", r"{S}(?: {HAVE})?{A} (?:retrained|switched (?:jobs?|careers?)|changed (?:jobs?|careers?|professions?))(?: completely)?(?:,| and)(?: (?:I|he|she))?(?: now)? (?:am|is|work as|works as)(?: now)? (?:an? ){V}"),
    ("any more|no longer|anymore", "has_role", r"{S} (?:am|is|are) (?:not|no longer) (?:an? ){O}(?: any ?more| any longer)?,? (?:but |and )?(?:now )?(?:I|he|she) (?:am|is)(?: now)? (?:an? ){V}"),
    ("job title|profession|occupation|line of work", "has_role", r"{P} (?:new |current )?(?:job title|profession|occupation|line of work|trade|title) (?:is|remains)(?: still| now)? (?:an? |that of (?:an? )?)?{V}"),
    ("job title|profession|occupation|line of work", "has_role", r"{P} (?:job title|profession|occupation|title) is not {O}(?: any ?more| any longer)?, (?:it is|but) (?:now )?(?:an? )?{V}"),
    ("no more", "has_role", r"(?:^|[,;:] ?)(?:no more )?{O}(?: no more)?, {S} (?:now )?work as (?:an? ){V}"),
    ("title|job|role|position|profession", "has_role", r"(?<![\w'])(?:[Nn]ew|[Ss]ame)(?: old)? (?:job title|job|title|role|position|profession|career)(?: as (?:ever|always|before))?[:,] (?:an? )?{V}"),
    ("badge|card", "has_role", r"(?:it says|{P} (?:name ?badge|business card|name ?tag|card)(?: still)? (?:says|reads)) {V}(?: on {P})?"),
    ("bills|living|career|wage|rent|bread|crust", "has_role", r"(?:{S}{A} |^still )(?:pay|pays|paying|earn|earns|earning|make|makes|making|built|have built|has built|has|have|had|carved out)(?: the| my| his| her| a| our)* (?:bills|rent|living|career|wage|wages|bread|crust|keep|money) (?:working |being |by working )?as (?:an? ){V}"),
    ("work as|works as|working as|job is being|took on", "has_role", r"(?:{S}[^.,;]{0,24}? |^still )(?:work|works|working|worked|took on the job|takes on the job|serve|serves|serving|employed)(?: of| as)(?: an?)? {V}"),
    ("job is", "has_role", r"{P} job is (?:being|that of)(?: an?)? {V}"),
    ("became|since i changed|become", "has_role", r"{S}(?: {HAVE})?(?: just| finally| recently)? (?:became|become)(?: now)? (?:an? )(?!member|mum|dad|parent|father|mother|fan|friend|couple|regular|vegan|vegetarian|convert|big|huge){V}"),
    ("time|days|called time|career|stopped|stint", "-has_role", r"(?:{P} (?:time|days|career|stint|life|years) as (?:an? )?{VV} (?:is|are) (?:over|behind|done|finished|at an end|up)|{S}(?: {HAVE})?{A} (?:called time on|given up|stopped|finished with|retired from|quit)(?: being| working as)(?: an?)? {V})"),
    # studies
    ("switch|transfer|chang|dropped|left|swap|went from|moved", "studies", r"{S}(?: {HAVE})?{A} (?:switched|changed|swapped|moved|transferred|gone)(?: (?:my|his|her|the))?(?: (?:degrees?|courses?|majors?|subjects?|programmes?))? from {O} to {V}"),
    ("dropped|left|quit|gave up|ditch", "studies", r"{S}(?: {HAVE})?{A} (?:dropped|left|quit|gave up|given up|ditched|abandoned|swapped|packed in){O}?(?:,| and| for)(?: (?:I|he|she|now|am|is|a|the|my|new))* (?:studying|study|studies|degree in|course in|degree course in|enrolled in|majoring in)(?: now)? {V}"),
    ("transfer", "studies", r"(?:turns out |it turned out )?{O} (?:was not|is not) for (?:me|him|her), {S}(?: {HAVE})? (?:transferred|switched|moved) to {V}"),
    ("course|degree|major|subject|field", "studies", r"{P} (?:new |current |university )?(?:course|degree|major|subject|field of study|studies)(?: at uni(?:versity)?)? (?:is|are)(?: still| now)?(?: in)? {V}"),
    ("course|degree|subject|major", "studies", r"(?<![\w'])(?:[Nn]ew|[Ss]ame) (?:degree|course|major|subject)(?: as (?:before|ever|always))?[:,] {V}"),
    ("course|degree|major", "studies", r"{S}?(?: ?{HAVE})?{A} ?(?:not )?(?:changed|switched) (?:courses?|degrees?|majors?|subjects?)(?:,| and)(?: it is| I am (?:doing|studying|on)| he is (?:doing|studying)| she is (?:doing|studying)) {V}(?: now| to the end| as before)?"),
    ("uni|lectures|classes|student|enrolled|enroled|college", "studies", r"(?:{S}{A} (?:{BE} )?{A}|^still )(?:at uni(?:versity)? (?:for|doing|studying)|at college for|enrolled (?:in|on)|signed up (?:for|to study)|reading for a degree in|go to lectures in|goes to lectures in|have got lectures in|have lectures in|has lectures in|attend classes in|attends classes in|a student of|doing a degree in) (?!the (?-i:[A-Z]))(?!(?-i:[A-Z]))(?:a course in )?{V}"),
    ("student", "studies", r"{S} {BE} a student[,:] {V}"),
    ("began|started|course|enrolled|enrol", "studies", r"{S}(?: {HAVE})?{A} (?:began|started|begun|enrolled (?:in|on)|signed up for|embarked on|taken up|stuck with)(?: (?:a|my|his|her) (?:new )?(?:degree|course|studies|major)(?: in)?) {V}"),
    ("course in|degree in|studies in", "studies", r"{P} (?:course|degree|studies) in {VV} (?:began|started|kicked off|begins|starts|is going)"),
    ("before the", "studies", r"(?:before (?:the|my) (?:degree|course)[^,]{0,24}) it was {V}"),
    ("dropped|time as|days as|lectures|classes|quit", "-studies", r"(?:{S}(?: {HAVE})?{A} (?:dropped out of|quit studying|stopped studying|given up studying|abandoned(?: my| his| her)? (?:degree|course|studies)(?: in)?) (?!(?:of )?(?:college|university|school)\b){V}|[Nn]o more (?:lectures|classes|lessons|exams) in {VV} for (?P<p>me)|{P} (?:time|days|life|stint) as a student of {VV} (?:is|are))"),
    # partner
    ("broke up|split|over with|left|isn't with|not with|no longer with|dumped|done with", "partner", r"(?:{ON} and (?P<s>I) (?:have )?(?:broke(?:n)? up|split(?: up)?|are over|are done)|(?P<p>{_NAME_}|I)(?: {HAVE})? (?:left|dumped|broke(?:n)? up with|split(?: up)? (?:with|from)|finished with) {ON})(?:,| and)(?: (?:I|he|she|now))*(?: (?:am|is|are))? (?:now )?(?:going out with|dating|seeing|with|together with|in a relationship with) {N}"),
    ("over with|over between", "partner", r"(?:it is|it's|things are|we are) (?:over|finished|done) with {ON},? (?:and )?{S} (?:am|is) (?:now )?(?:dating|seeing|going out with|with) {N}"),
    ("with", "partner", r"{S} (?:am|is) (?:not|no longer) (?:with|dating|seeing|going out with) {ON}(?: any ?more| any longer)?,? (?:(?:it is|but) )?{N}(?: and (?:I|he|she) (?:are|is) (?:now )?(?:together|a couple)| now)"),
    ("someone new", "partner", r"someone new in {P} life[^.]{0,20}? (?:with|dating|seeing) {N}"),
    ("together|couple|item|sweetheart|dating|lovers|going out", "partner", r"{N} and (?P<s>I) (?:are|got|have been|became|are now|have got|started)(?: still| now| finally| officially| back)*(?: (?:together|a couple|an item|sweethearts|dating|lovers|in love|going out|in a relationship))"),
    ("together|couple|item|sweetheart|dating|lovers|going out", "partner", r"{S} and {N} (?:are|got|have been|became|are now|have got|started)(?: still| now| finally| officially| back)*(?: (?:together|a couple|an item|sweethearts|dating|lovers|in love|going out|in a relationship))"),
    ("together|couple|item|strong", "partner", r"(?:{S} {BE}{A} |^still )(?:together with|going strong with|in love with|in a relationship with|an item with|a couple with|going out with|going steady with) {N}"),
    ("going out|seeing|dating", "partner", r"{S}(?: {HAVE})?{A} (?:started|began) (?:going out with|seeing|dating) {N}"),
    ("friend|partner|other half|significant|sweetheart", "partner", r"{N} (?:is|became|has become|was){A} {P} (?:new )?{LOVE}\b"),
    ("friend|partner|other half", "partner", r"{P} (?:new )?{LOVE} (?:is|became)(?: now| still)?(?: called| named)? {N}"),
    ("friend|partner", "partner", r"(?:^|[,;:] ?)[Nn]ew {LOVE}: {N}"),
    ("friend|partner", "-partner", r"{N} (?:is not|is no longer) {P} {LOVE}"),
    ("broke|split|over between|called it", "-partner", r"(?:{N} and (?P<s>I) (?:have )?(?:broke(?:n)? up|split(?: up)?(?=$|[,.;!]| {WHEN}| ago)|called it quits|are over|are no longer together|parted ways|are history)|(?:it is|things are) (?:over|finished) between {N} and (?P<p>me|him|her))"),
    ("broke|split|called it|no longer together|parted", "-partner", r"{S} and {N} (?:have )?(?:broke(?:n)? up|split(?: up)?(?=$|[,.;!]| {WHEN}| ago)|called it quits|are over|are no longer together|parted ways)"),
    ("broke|split|dumped|finished", "-partner", r"{S}(?: {HAVE})?{A} (?:broke(?:n)? up with|split(?: up)? (?:with|from)|called it quits with|dumped|finished with|ended (?:it|things) with) {N}"),
    # boss
    ("instead of", "boss", r"{S} (?:report|reports|answer|answers)(?: directly)? to {N}(?: now)? (?:instead of|rather than|not) {ON}"),
    ("isn't|not|no longer", "boss", r"{ON} (?:is not|is no longer) {P} {BOSS}(?: any ?more| any longer)?,? (?:but )?{N} is\b"),
    ("replac|took over|taken over", "boss", r"{N}(?: {HAVE})? (?:replaced|taken over from|took over from|succeeded) {ON} as {P} {BOSS}"),
    ("out with|in with", "boss", r"(?:{BOSS}[^.]{0,20}|)out with {ON},? (?:and )?in with {N}"),
    ("answer to|under", "boss", r"(?:moved me )?from under {ON},? (?:and )?{S} (?:answer|report)(?:s)?(?: now)? to {N}"),
    ("boss|manager|supervisor|superior|lead|head", "boss", r"{P} (?:new |current )?{BOSS} (?:is|remains|became){A} {N}(?:(?: now)?, not {ON})?"),
    ("boss|manager|supervisor|lead", "boss", r"{S} {HAVE}(?: got)?(?: a new| the same| a)? {BOSS}(?: as (?:before|ever))?(?: now)?(?:,|:| called| named) {N}"),
    ("boss|manager|supervisor|lead", "boss", r"(?:[Ss]ame|[Nn]ew) {BOSS}(?: as (?:before|ever)| for me)?[:,] {N}"),
    ("boss|manager|supervisor|lead", "boss", r"{N} (?:is|became|has become|took over as|has taken over as){A} {P} (?:new )?{BOSS}"),
    ("as a boss|as my|as boss", "boss", r"{S} {HAVE} (?:had )?{N} as (?:a |my |his |her )?{BOSS}"),
    ("answer to|answers to|report|orders|under", "boss", r"(?:{S}(?: {HAVE})?{A} (?:started |began )?|the boss (?P<p>I) |[,;] |still )(?:report|reports|reporting|answer|answers|answering|take (?:my )?orders|takes (?:his |her )?orders|taking orders|work under|works under|working under|am still under|am under|is still under|is under)(?: directly)?(?: to| from)?(?: is)? {N}"),
    ("boss|manager|supervisor", "-boss", r"{N} (?:is not|is no longer) {P} {BOSS}"),
    ("report|orders|under|answer", "-boss", r"{S} (?:do not|does not|no longer|am not|is not|am out|is out|am|is)(?: any longer)? ?(?:out )?(?:from under|report to|reports to|answer to|answers to|take (?:my |his |her )?orders from|takes (?:his |her )?orders from|work under|works under) {N}"),
    # diet
    ("used to be|was |not |from |done with|longer", "diet", r"(?:{S}[^.,;]{0,12}? (?:used to be|was|am not|is not|am no longer|is no longer)|[Dd]one with being) {O}(?: any ?more| any longer)?(?:,| but| and)(?: (?:but|and|now|I|he|she|have|has|is|am|gone|went))* {V}"),
    ("from", "diet", r"{S}(?: {HAVE})?{A} (?:gone|went|switched|changed|moved|turned) from (?:being )?{O} to (?:being )?{V}"),
    ("vegan|vegeta|tarian|vor|keto|paleo|halal|kosher|free|carb|based", "diet", r"(?:{S}[^.,;]{0,36}? (?:am|is|are|became|become|went|gone|turned|go|be|remain|remains|stay|stays)|^still){A} (?:on an? |an? )?(?P<v>[\w-]*(?:vegan|vegetarian|tarian|ivore|ivorous|keto|paleo|halal|kosher|gluten-free|dairy-free|lactose-free|sugar-free|plant-based|low-carb)\w*){E}"),
    ("vegan|vegeta|tarian|vor|keto", "diet", r"^(?P<v>[\w-]*(?:vegan|vegetarian|tarian|ivorous|keto|paleo)) as (?:ever|always)\b"),
    ("given up|stopped|gave up|done", "-diet", r"{S}(?: {HAVE})?{A} (?:given up|stopped|gave up|quit|done with) being (?:an? )?(?P<v>[\w-]*(?:vegan|vegetarian|tarian|ivore|ivorous|keto|paleo|halal|kosher|free|based|carb)\w*)"),
    # birthday
    ("birthday|world|candles|older|born|cake", "birthday", r"(?:{P} birthday (?:is|falls)(?: always)?(?: on)?|birthday reminder[^.]{0,12} (?:mine is|is)|{S} (?:was born|came into the world|cut the birthday cake|cuts the birthday cake|blow out (?:my )?candles|blows out (?:his |her )?candles|get older|gets older|get a year older|gets a year older|turn a year older|celebrate my birthday|celebrates (?:his|her) birthday)(?: on| every)?) {DATE}"),
    ("birthday|born", "birthday", r"(?:put |remember |[Ss]till |mark )?{DATE}(?: in your (?:calendars?|diary|diaries))?(?:, (?:that is|it is)|, | is)(?: (?:when|the day))? ?(?:{P} birthday|(?P<s>I|{_NAME_}) (?:was|were) born)"),
    # allergy
    ("allerg", "-allergy", r"(?:{S}(?: {HAVE})?{A} (?:outgrown?|got(?:ten)? over|grown out of|lost|shaken off)(?: an| my| his| her| the)? allergy to {V}|{P} allergy to {VV} (?:is|has) (?:gone|over|cleared(?: up)?|disappeared|vanished|history)|{S} can be around {VV} again)"),
    ("allerg", "allergy", r"(?:{S} (?:{HAVE} )?(?:still |also |now )?(?:got |have got |developed |get |gets |got |suffer from |suffers from )?(?:an|that|my|his|her|a \w+|a)? ?allerg(?:y|ic (?:reaction|rash|response|attack)s?)(?: to| from) {V})"),
    ("allerg", "allergy", r"{P} allergy to {VV} (?:started|began|has not|is still|kicked in|developed|appeared)"),
    ("allerg", "allergy", r"(?:{S}[^.,;]{0,30}? )(?:am|is|became|become|turned|grew|remain|remains)(?: still| now| also| very| severely| badly| terribly)* allergic to {V}"),
    ("allerg", "allergy", r"(?:[Kk]eep {VV} away from (?P<s>me|him|her)|{S} (?:have|has|need|needs) to (?:steer clear of|avoid|stay away from|keep away from) {VV}|{P} body (?:cannot|does not) (?:handle|take|tolerate|cope with) {VV})(?:,| because of| due to| -)[^.]{0,24}allerg"),
    # likes, dislikes over
    ("used to be a fan|not any more|not now|not anymore", "-likes", r"^{VV}\? I used to (?:be a (?:big |huge )?fan|like (?:it|them|that)|love (?:it|them|that))"),
    ("over|gone off|went off|care for|tired of|fan|bored", "-likes", r"{S}(?: {HAVE})?{A} (?:gone off|went off|got(?:ten)? over|fallen out of love with|got(?:ten)? (?:tired|bored|sick) of|lost (?:my|his|her) (?:taste|love|passion) for|(?:do|does) not (?:really )?care for|(?:am|is|are) (?:so |totally |completely )?over|(?:am|is) (?:no longer|not)(?: an?)?(?: big| huge)? ?(?:fan of|into|keen on|fond of|crazy about)) (?!at all\b)(?!the (?:moon|hill)\b){V}"),
    ("don't mind|not mind|fine with|stopped|take it back|come round|warmed|got over|over my", "-dislikes", r"{S}(?: {HAVE})?{A} (?:(?:do|does) not mind|(?:am|is) (?:fine|ok|okay|cool|at peace) with|(?:stopped|given up|gave up|quit) (?:hating|disliking|loathing|avoiding)|take it back about (?:hating|disliking)|come (?:a)?round to|come to like|warmed to|got(?:ten)? over (?:my |his |her )?(?:hatred|dislike|fear) of|made (?:my|his|her)? ?peace with) {V}"),
    # dislikes
    ("hate|dislike|stand|bear|no fan|fan of|avoid|no time|detest|loath|despise|spare|not for|no from me|keep |come round|put up", "dislikes", r"{S}(?: {HAVE})?(?: still| really| also| just| simply| absolutely| honestly| truly| never)* (?:cannot (?:stand|bear|abide|tolerate|take)|(?:can|could) (?:not|never) (?:stand|bear|abide)|hates?|dislikes?|detests?|loathes?|despises?|would go a long way to avoid|(?:have|has) no time for|(?:am|is) (?:really )?(?:no|not (?:a|an|much of a|the biggest|exactly a))(?: big| great| huge)? fan of|could (?:do|live) without|(?:have|has) not (?:come round|warmed) to|avoids? at all costs) {V}"),
    ("hate|dislike|stand|bear", "dislikes", r"{S}(?: {HAVE})?{A} (?:started|began|begun|come|grown|learned|decided[^.,;]{0,24} that (?:I|he|she)|found out[^.,;]{0,16}(?:I|he|she)|realised[^.,;]{0,16}(?:I|he|she)|realized[^.,;]{0,16}(?:I|he|she))(?: to)? (?:hate|hating|hates|dislike|dislikes|detest|loathe|cannot stand|cannot bear|despise) {V}"),
    ("dislike of|dislike to|aversion|hatred", "dislikes", r"{S}(?: {HAVE})?{A} (?:developed|took|taken|have|has|got)(?: a| an)?(?: strong| real| deep)? (?:dislike|aversion|hatred|loathing)(?: of| to| for) {V}"),
    ("not for me|no from me|no thanks|pass on|not my", "dislikes", r"^{VV}(?:\?|:|,) (?:(?:is |are |it is |that is |still |just )*(?:not for me|a no from me|no for me|not my (?:thing|cup of tea)|no thanks|no thank you|I will pass|hard pass|hate (?:it|them)))"),
    ("spare me|you can keep|count me out", "dislikes", r"(?:[Ss]pare me|[Yy]ou can keep|[Kk]eep your|[Cc]ount me out of|[Cc]ount me out for) (?:(?:all )?(?:the|that|your) )?{V}"),
    ("made me like", "dislikes", r"not made me like {V}"),
    ("puts me off|drives me|gets on my|my pet hate", "dislikes", r"(?:{P} (?:biggest )?pet (?:hate|peeve) is {V}|{VV} (?:puts?|drives?|gets?|bores?) (?P<s>me) (?:off|up the wall|mad|crazy|to tears|down)|{VV} gets? on {P} nerves)"),
    # likes
    ("fan of|partial|fond|mad about|crazy|keen|love|into|tired of|say no|obsessed|soft spot|weakness|hooked|addict", "likes", r"(?:{S}(?: {BE})?(?: still| also| a| an| very| really| so| such| absolutely| totally| completely| quite| as| never| will| big| huge| massive| lifelong| great| real| true)*|^still )(?: ?)(?:fan of|partial to|fond of|mad about|crazy about|keen on|in love with|tired of|gets tired of|get tired of|say no to|says no to|obsessed with|hooked on|addicted to|passionate about|nuts about|soft spot for|weakness for|sucker for) {V}"),
    ("soft spot|weakness|thing for", "likes", r"{S} (?:have|has)(?: got)? (?:a|an)(?: real| big| huge)? (?:soft spot|weakness|thing|passion|love) for {V}"),
    ("love|fan", "likes", r"{S}(?: {HAVE})?{A} (?:fell in love with|fallen in love with|became a (?:big |huge )?fan of|become a (?:big |huge )?fan of|discovered[^.,;]{0,10} (?:I|he|she) loves?|discovered[^.,;]{0,24}how much (?:I|he|she) loves?|started (?:to like|liking|loving|to love)|took to|grew to love) (?!with){V}"),
    ("won", "likes", r"{VV} (?:won|has won|have won|stole|has stolen) (?:(?P<s>me|him|her) over|{P} heart)"),
    ("beats|any day|i'm happy|i am happy|made for me", "likes", r"(?:[Nn]othing beats {VV}(?= in my book|$|[,.;!])|[Gg]ive me {VV} any (?:day|time)|[Ii]f there is {VV}, (?P<s>I) am (?:happy|in|there))"),
    ("as fond of|favourite|favorite", "likes", r"{S} (?:am|is) as fond of {VV} as ever"),
    # hobby over
    ("given up|gave up|let |bother|done with|hobby|stopped|quit", "-hobby", r"{S}(?: {HAVE})?{A} (?:given up|gave up|let|stopped doing|quit|packed in|done with|finished with|am done with|is done with|no longer bother with|do not bother with|does not bother with|dropped|abandoned) (?!being|eating|drinking|studying|working|smoking|(?:my|his|her|the) [\w ]*(?:degree|course|studies|house|flat|car|dog|cat|baby|seat|place)\b|meat|coffee|alcohol|sugar|on\b|my job|his job|her job){VV}(?= as a hobby| go as a hobby| go\b| any ?more| for good|$|[,.;])"),
    # hobby
    ("hobby|hobbies|pastime", "hobby", r"(?:{P} (?:main |new |favourite |favorite |only )?(?:hobby|pastime) (?:is|remains)(?: still| now)? {V}|{VV} (?:became|has become|is)(?: still| now)? {P} (?:new |main )?(?:hobby|pastime)|{S} (?:have|has|had|took up|take up) {VV} as (?:a |my |his |her )?(?:hobby|pastime)|hobbies go, mine is {V})"),
    ("free time|spare|leisure|downtime|day off|days off|weekend", "hobby", r"(?:{S}{A} (?:spend|spends|fill|fills|devote|devotes|use|uses|pass|passes) (?:most of |all |all of )?(?:my|his|her|our) (?:free|spare|leisure)? ?(?:time|hours|evenings|weekends|days off|downtime|moments) (?:on|with|doing|to) {V}|{P} (?:free|spare|leisure) (?:time|hours|moments|evenings)(?: still)?(?: all)? (?:goes?|is spent|are spent)(?: to| on| into) {V})"),
    ("unwind|relax|switch off|decompress|hour to myself|spare time", "hobby", r"(?:{S}{A} (?:unwind|unwinds|relax|relaxes|switch off|switches off|decompress|decompresses|de-stress|let off steam|lets off steam|keep busy|keeps busy|while away the hours) (?:with|by doing|doing|by) {V}|(?:hour|time|moment|evening|afternoon)s? to (?:myself|himself|herself|spare), it is {V})"),
    ("took up|taken up|got into|gotten into|tried|started", "hobby", r"{S}(?: {HAVE})?{A} (?:took up|taken up|got into|gotten into|been getting into|am getting into|is getting into|picked up the habit of|gave) (?!the car|trouble|a fight|bed|shape|the habit|touch|his|her|my|it){V}"),
    ("looked back", "hobby", r"{S} (?:tried|started|discovered) {VV} and (?:have|has) not looked back"),
    ("keeping up with|still at it|dropped", "hobby", r"(?:{S} (?:am|is) keeping up with {VV}, (?:still|same)|[Ss]till at it with {VV}(?= in|$|[,.])|(?:{S} )?(?:[Hh]ave|[Hh]as) not (?:dropped|given up) {VV}(?=, it is| as a hobby))"),
    # pet
    ("cat|dog|pup|kitten|hamster|rabbit|bunny|parrot|tor|turtle|pig|fish|lizard|gecko|iguana|snake|horse|pony|ferret|canary|budgie|hen|duck|rat|mouse|chinchilla|bird|spaniel|terrier|poodle|labrador|retriever|beagle|frog|goat|donkey|axolotl|hedgehog|cockatiel", "pet", r"(?:{S}(?: {HAVE})?{A} (?:got|have|has|had|adopted|keep|keeps|own|owns|rescued|bought|brought home|took in|am the (?:proud )?owner of|is the (?:proud )?owner of|have got|has got)(?: home)? (?:an? |my |his |her )?(?:\w+ )?{PET}(?: home)?[^.;:]{0,30}?,? ?(?:called|named|by the name of|and (?:named|called) (?:it|him|her)|nicknamed|,) {N}|{P} pet is an? {PET} and (?:goes by|answers to|is called) {N}|there is an? {PET} at {P} place who (?:answers to|goes by|is called) {N})"),
    ("pet|adopted|brought|became", "pet", r"(?:{N} (?:is|became|has become){A} {P} (?:\w+ )?pet(?:[^.;]{0,24}?, (?:an? )?{PET})?|{S}(?: {HAVE})?{A} (?:adopted|got|bought|rescued|brought) {_PN_}(?: home)?(?:[^.;,]{0,24}), an? {PET}|{P} pet {_PN_}|{S} still (?:have|has|have got|has got|look after|looks after|keep|keeps) {_PN_}, (?:the|my|best) pet)"),
    ("pet|any more|lost|owner|anymore|rehome", "-pet", r"(?:{S} (?:do not|does not|no longer) (?:have|has|own|owns|keep|keeps) {_PN_} (?:any ?more, I miss|as a pet)|{S} had to (?:find a new (?:owner|home) for|rehome|give away|say goodbye to) {_PN_}|{N} (?:is not|is no longer) {P} pet|{S} (?:have |has )?lost {_PN_}, {P} (?:\w+ )?pet)"),
    # language
    ("language|fluent|chat|talk|converse|speak|get by|gets by|conversation", "language", r"(?:{LANG} is (?:still )?one of {P} languages|(?:{S} (?:{BE}|have become|became|become|has become)(?: still| now| also| quite| almost)*|^still) fluent in {LANG}|[Yy]ou can (?:talk|speak|chat|write) to (?P<s>me) in {LANG}|{S}{A} (?:can |could )?(?:chat away|chat|converse|get by(?: just fine)?|gets by(?: just fine)?|get along|hold a conversation|manage|understand everything) in {LANG})"),
    ("speak|picked up|speaker|learned|learnt|lost", "language", r"(?:{S}(?: {HAVE})?{A} (?:do )?(?:picked up|learnt|learned|mastered|began to speak|started to speak|started speaking|speak|speaks|taught myself|been a speaker of|could speak|can speak) {LANG}(?! (?-i:[A-Z]))|{P} {LANG} is (?:holding up|still|getting|coming)|{S} (?:have|has) not (?:lost|forgotten) (?:any of )?{P} {LANG})"),
    ("forgotten|forgot|speak|string|hold a conv|gone|lost|rusty", "-language", r"(?:{S}(?: {HAVE})?{A} (?:forgotten|forgot|lost|unlearned)(?: all| most of)*(?: (?:my|his|her))? {LANG}|{P} {LANG} is (?:gone|lost|history|completely gone)|{S} (?:do not|does not|cannot|no longer|can no longer)(?: any longer)? (?:speak|speaks|hold a conversation in|converse in|get by in) {LANG})"),
    # owns
    ("own|name on it|all mine|treated|bought|got myself|my things|owner|to call", "owns", r"(?:{S}(?: {HAVE})?{A} (?:own|owns|bought|purchased|got|have got|has got|have|has|treated myself to|treated himself to|treated herself to|got myself|got himself|got herself|became the (?:proud )?owner of|am the (?:proud )?owner of|is the (?:proud )?owner of|invested in|acquired|splashed out on) (?:a|an|my own|his own|her own|another)(?: new| second-hand| used| brand[- ]new)? (?P<v>(?!{_PETS_})[^\s,;:.!?()][^,;:.!?()]{0,40}?)(?=$|[,.;!]| of (?:my|his|her) own| to call| at home| for myself| for (?:my|his|her)|,? all (?:mine|his|hers)|{E}))"),
    ("name on it|my things|among", "owns", r"there is an? {VV}(?= with (?:my|his|her) name)|among (?:my|his|her) things there is an? {V}"),
    ("hanging on|sold|still", "owns", r"(?:{S} (?:am|is) (?:hanging|holding) on to (?:my|his|her) {V}|(?:{S} )?(?:[Hh]ave|[Hh]as) not (?:sold|parted with|got rid of) (?:my|his|her) {V}|{S} still (?:have|has|own|owns|have got|has got) (?:my|his|her|an?) {V})"),
    ("sold|got rid|gave|given|parted", "-owns", r"{S}(?: {HAVE})?{A} (?:sold|got rid of|gotten rid of|gave away|given away|parted with|gave|given|donated|pawned|traded in|lost) (?:my|his|her|our) (?:old )?{VV}(?= away|$|[,.;!]|{E})"),
    # project
    ("project", "project", r"(?:{N} is (?:still )?(?:the project (?P<s>I) (?:am|was) on|one of {P} projects|{P} (?:main |current )?project)|{P} (?:current |main |new )?project (?:is|right now is)(?: still| now)? {N})"),
    ("team for|hours on|got me on|put on|aboard|working on|plugging|busy|hands full|off|assigned|on board", "project", r"(?:{S}(?: {HAVE})?(?: {BE})?{A} (?:on the (?:team|crew) for|joined the (?:team|crew) for|putting in hours on|put on|got put on|been put on|assigned to|been assigned to|came aboard|come aboard|on board with|working on|started working on|plugging away at|busy with|beavering away at|contributing to)|[Tt]hey have got (?P<p>me) on|^[Ss]till (?:plugging away at|working on|busy with)|(?:{S2} )?[Hh]ave not been (?:moved|taken|pulled) off) {N}"),
    ("keeping", "project", r"{N} is (?:still )?keeping (?:(?P<s>me|him|her) busy|{P} hands full)"),
    ("taken off|stepped away|part in|pulled off|left the team", "-project", r"(?:{S}(?: {HAVE})?{A} (?:been |was |got )?(?:taken off|stepped (?:away|back) from|pulled off|moved off|dropped from|off the team for|left the team for) {N}|{P} (?:part|role|involvement|work) (?:in|on) {N} is (?:done|over|finished))"),
    # member_of
    ("member|belong|part of|joined|signed up|renewed|card|left", "member_of", r"(?:(?:{P} name (?:is|appears)|(?P<m>my) name's) on the members' list of {N}|{S} (?:have|has)(?: got)? a (?:membership (?:at|of|with|in)|members?(?:hip)?(?:'s)? card (?:from|of|for)) {N}|{S}(?: {HAVE})?{A} (?:belong|belongs|signed up|joined up) (?:to|with) {N}|(?:{S} {BE}{A}|^still) (?:(?:a )?(?:paid-up |proud |card-carrying )?(?:member|part|one of the members) of) {N}|{N} took (?P<p>me|him|her) in as a member|[Rr]enewed with {N}|{S} (?:have|has) not left {N}|{S}(?: {HAVE})? (?:became|become) a member of {N})"),
    ("member|belong|part of|dropped|handed", "-member_of", r"(?:{S}(?: {HAVE})?{A} (?:handed in|cancelled|given up|let go of|returned|resigned|dropped)(?: my| his| her| the)? membership (?:of|at|in|with) {N}|{S}(?: {HAVE})?{A} dropped out(?: as a member)? of {N}|{S} (?:do not|does not|no longer) belongs? to {N}|{S} (?:am|is) (?:not|no longer) (?:a member|part) of {N})"),
    # sibling
    ("sibling|brother|sister|parents|twin", "sibling", r"(?:{N}(?: \([^)]*\))? and (?P<s>I) (?:are siblings|are (?:brothers?|sisters?)(?: and (?:brother|sister)s?)?|have the same parents|share (?:the same )?parents|are twins)|{S} and {N}(?: \([^)]*\))? (?:are siblings|have the same parents|share (?:the same )?parents|are twins|are brothers|are sisters))"),
    ("brother|sister|twin", "sibling", r"(?:{N}(?: \([^)]*\))?(?: is(?: still)?|,|\? [Yy]es,) {P} {SIB}\b|{S}[^.;]{0,14}? {HAVE}(?: got)? an? {SIB}(?: called| named|,)? {N}|[Yy]ou know {P} {SIB}, {N})"),
    ("brother|sister", "sibling", r"{S} (?:am|is) (?P<v>{_NAME_})'s (?:brother|sister|twin)\b"),
    # child
    ("son|daughter|kid|dad|mum|mom|parent|boy|girl|child|born|father|mother", "child", r"(?:{N} is{A} {P} {CHILD}\b|{S}[^.;]{0,14}? {HAVE}(?: got)? an? {CHILD}(?: called| named|,)? {N}|{S}(?: {HAVE})?[^.;]{0,12}? (?:am|is|are|became|become)(?: still| a| the| an)*(?: proud)? (?:dad|mum|mom|father|mother|parent)(?: to| of) {N}|{P} {CHILD}(?:'s name)? is(?: called| named)? {N}|{N}, {P} {CHILD}\b|[Pp]arent, {P} {CHILD} is {N}|{N} was born, {P} {CHILD}|{S} had a {CHILD}[^.;]{0,24}, (?:and )?named (?:him |her )?{N})"),
    # lives_with
    ("mates|mate|roof|share|household|together|live|living|moved in|rent", "lives_with", r"(?:{N} and (?P<s>I)(?: still| now)*(?: (?:live under one roof|live together|share a (?:flat|house|place|home)|are {MATE}s|became {MATE}s|got a place together|are sharing a (?:flat|house)))|{S} and {N}(?: still| now)*(?: (?:live under one roof|live together|share a (?:flat|house|place|home)|are {MATE}s|became {MATE}s|got a place together)))"),
    ("mate|share|sharing|rent|moved in|live with|living with|lives with|household", "lives_with", r"(?:{N} is{A} {P} {MATE}|{P} {MATE} is{A} {N}|[Ss]ame {MATE}(?: as before)?[,:] {N}|{S}(?: {HAVE})?{A} (?:started |began )?(?:share|shares|sharing|shared)(?: a| my| his| her| the) (?:flat|house|place|home|apartment)(?: with) {N}|{S}(?: {HAVE})?{A} (?:split|splits) the rent with {N}|{S}(?: {HAVE})?{A} moved in with {N}|{N} has not kicked (?P<p>me|him|her) out)"),
    ("mate|share|living together|live together", "-lives_with", r"(?:{N} and (?P<s>I) (?:do not|no longer|have stopped|stopped)(?: longer)? (?:share|sharing|live|living)|{S} and {N} (?:do not|no longer|have stopped|stopped)(?: longer)? (?:share|sharing|live|living)|{N} (?:is not|is no longer) {P} {MATE}|{S} (?:do not|does not|no longer) lives? with {N})"),
    # friend
    ("friend|mates|pals|buddies", "friend", r"(?:{N} is{A}(?: an?| one)?(?: good| close| great| old| dear)? (?:friend of (?P<p>mine|his|hers)|of {P2} friends)|{S} (?:am|is|became|become|have been|has been|made|am lucky)(?: still| good| great| close| best| now)* friends with {N}|{N} and (?P<s>I) (?:are|became|have been|hit it off|get on famously)(?: still| now| the best of| good| great| best| close| the)*(?: (?:mates|friends|pals|buddies))?(?=$|[,.;!]| {WHEN}| and)|{S2} and {N2} (?:are|became|hit it off)(?: still| now| the best of| good)*(?: (?:mates|friends|pals|buddies)))"),
    ("friend|among", "friend", r"(?:{S}{A} (?:count|counts) {N} among (?:my|his|her) friends|{S} (?:am|is) lucky to have {N} as a friend|between {N} and (?P<p>me), friends)"),
    ("friend|fallen out|fell out|ties", "-friend", r"(?:{N} and (?P<s>I) are (?:not|no longer) friends|{S2} and {N2} are (?:not|no longer) friends|{S}(?: {HAVE})?{A} (?:fallen out with|fell out with|cut ties with|stopped being friends with|lost touch with) {N}|{S} (?:am|is) (?:not|no longer) friends with {N}|{P} friendship with {N} is (?:over|history|done))"),
    # habit over
    ("no longer true|no longer say|that thing|cross that|no longer the case", "-habit", r"(?:(?:[Ii]t is |it's )?no longer (?:true|the case) that {S} {H}|[Yy]ou can no longer say that {S} {H}|(?:[Tt]hat|[Tt]he) (?:thing|habit|phase|rule) where {S} (?P<v>[^,;:.!?()]{3,60}?)(?:\?| is over|,| has ended)|{S} (?P<v>[^,;:.!?()]{3,60}?): (?:cross|scratch|scrap|strike) (?:that|it))"),
    # habit
    ("new rule|new leaf|change i made|change made|made it a rule|rule of mine", "habit", r"(?:(?:[Nn]ew|[Aa] new) (?:rule|habit|routine) of (?P<p>mine)[^:]{0,40}: (?:I|we) {H}|{S} (?:(?:made it a rule|turned over a new leaf)[^.;]{0,30}?(?:,? so|,? and) now(?: I| he| she)?) {H}|{S} (?P<v>[^,;:.!?()]{3,50}?)(?: now)?, a change (?:I |he |she )?made)"),
    # health
    ("having|suffer|struggl|putting up|trouble|grief|rid of|recover|free of|bothering|plagued|battling", "health", r"(?:{S}(?: {HAVE})?(?: {BE})?{A} (?:started |began |begun |keep |keeps |still )*(?:having|suffer|suffers|suffering|to suffer|struggle|struggles|struggling|put up|puts up|putting up|battling|plagued|troubled|bothered|been having|having trouble|having problems)(?: (?:from|with|by))? (?!fun|a (?:good|great|nice|lovely|bad|hard|party|baby|drink|laugh|look|chat|barbecue|coffee|beer)|breakfast|lunch|dinner|no |second|my |to ){V}|^[Ss]till (?:having|struggling with|suffering from|putting up with) {V}|(?:giving|gives) (?P<p>me|him|her) (?:grief|trouble|hell): {V}|{P2} trouble with {VV} (?:started|began)|rid of {VV} yet)"),
    ("rid of|recovered|free of|over|cured|cleared", "-health", r"{S}(?: {HAVE})?{A} (?:(?:finally )?(?:got|gotten) rid of|recovered from|(?:am|is) (?:finally |now )?(?:free of|rid of|cured of|clear of)|shaken off|got(?:ten)? over) (?:my |his |her )?(?!my |his |her |it\b){V}"),
    ("unfortunately|sadly|i'm afraid|alas|again", "health", r"{S} {HAVE}(?: got)? (?:an? )?(?P<v>[^,;:.!?()]{3,40}), (?:unfortunately|sadly|I am afraid|alas|poor thing|it is awful)"),
    # plan
    ("planned|coming up|blocked|all set|on for|lined up|booked|calendar|agenda|diary", "plan", r"(?:{S} {HAVE}(?: got)? {VV} (?:planned|coming up|lined up|booked|scheduled)(?! but| and it)(?:,? (?:it is )?(?P<t>{WHEN}[^,;:.!?()]{0,24}))?|{S} (?:am|is) all set for {V}(?: (?P<t>{WHEN}[^,;:.!?()]{0,24}))?)"),
    ("on for", "plan", r"{VV} (?:is|are) on for (?P<s>me|us|him|her|{_NAME_})(?: (?P<t>{WHEN}[^,;:.!?()]{0,24}))?"),
    ("for me|for him|for her", "plan", r"(?:^|[,;:] )(?P<t>(?:on|in|this|next|tomorrow|the)[^,;:.!?()]{0,28}?),? it is {VV} for (?P<s>me|us|him|her)\b"),
    ("cancel|happening|fell through|miss|is off|called off|scrapped|not going ahead", "-plan", r"(?:{S} (?:{HAVE} )?had to (?:cancel|call off|scrap|drop|abandon|postpone)(?: my| his| her| our| the)?(?: plans?(?: for)?)? {V}|{VV} (?:is|are) not (?:happening|going ahead|taking place)(?: for (?P<p>me|us|him|her))?|{P2} plans? for {VV} (?:fell through|fell apart|came to nothing|is off|are off|has fallen through|was cancelled|were cancelled|got cancelled)|{S} (?:am|is) giving {VV} a miss|{S} had {VV} planned but (?:it is|that is|it got|it was)|{S}(?: {HAVE})? (?:cancelled|called off|scrapped|dropped|pulled out of) (?:my |his |her |our |the )(?:plans? for )?{V})"),
    ("cancel|called off|scrapped", "-plan", r"(?:^|[,;] )(?:the |The |my |My |our |Our )?(?P<v>(?!subscription|order|account|train|flight)[\w' -]{3,40}?) (?:was|has been|is|got|were|have been) (?:cancelled|canceled|called off|scrapped)"),
    # lives_in, from, further ways
    ("where|city|town|live|reside|based|home|dwell|staying|stationed", "lives_in", r"(?:{S}{A} (?:reside|resides|am based|is based|am living|is living|dwell|dwells|am settled|is settled|am stationed|is stationed|have settled|has settled|am staying|is staying)(?: out)? (?:in|at) {N}|{P} (?:new |current )?(?:city|town|address|neighbourhood|home base|home) is(?: now)? (?:in )?{N}|{N} is (?:now )?{P} (?:new )?(?:home|city|town|base)\b)"),
    ("swap|traded|exchang|left|moved|bye", "lives_in?", r"{S}(?: {HAVE})?{A} (?:swapped|traded|exchanged|left)(?: life in)? {ON},? (?:for|and moved to|to live in|and settled in|and went to)(?: a new life in)? (?P<v>(?!the ){_W1_}(?: {_W1_})*)"),
    ("left|out of|gone from|moved", "-lives_in?", r"{S}(?: {HAVE})?{A} (?:left|gone from|moved out of|packed up and left|said goodbye to) (?P<v>{_W1_}(?: {_W1_})*)(?: for good| behind| for ever)?(?=$|[,.;!]| {WHEN}| because)"),
    ("roots|raised|native|grew|born|bred|origin", "from", r"(?:{P} roots (?:are|lie) in {N}|{S}[^.,;]{0,20}? (?:grew up|was born|was raised|was brought up|am originally|is originally|was bred)[^.,;]{0,16}? (?:in|from) {N}|(?:^|, )born(?: and (?:bred|raised))? in {N})"),
    # works_at, has_role, further ways
    ("where|employ|pays", "works_at", r"(?:{N} is where {S}{A} (?:work|works|am employed|is employed|earn|earns)|{N}{A} (?:employs|pays) (?P<p>me|us|him|her|{_NAME_}))"),
    ("with|taken on|recruited|position|post|role|start", "works_at", r"(?:(?P<s>I) am (?:still |now |currently )?with {N}(?= now| these days| at the moment)|{S}(?: {HAVE})?{A} (?:been )?(?:taken on|recruited|hired|signed|snapped up|headhunted|employed) by {N}|{S}(?: {HAVE})?{A} (?:landed|got|found|started|secured|accepted|took|taken)(?: up)? (?:a|an|my|his|her|the)(?: new| good)? (?:position|post|role|job|gig|contract)(?: [a-z]+){0,3} (?:at|with) {N})"),
    ("laid|let|fired|sacked|dismissed|resign|retired", "-works_at", r"(?:{N} (?:laid|has laid) (?P<p>me|him|her) off|{N} (?:has )?(?:let (?P<p>me|him|her) go|(?:fired|sacked|dismissed) (?P<p>me|him|her))|{S}(?: {HAVE})?{A} (?:resigned|retired|walked out|been dismissed|been let go|been fired|been laid off|was fired|was sacked|was laid off|was let go)(?: from| by| of) {N})"),
    ("profession|trade|living|job|occupation", "has_role", r"(?:^{VV} by (?:profession|trade)|{S} (?:am|is) (?:an? )?{VV} by (?:profession|trade|training)|by (?:profession|trade) {S} (?:am|is) (?:an? )?{V}|{S} (?:am|is) employed as (?:an? )?{V})"),
    ("no longer|retired|gave up|given up|longer|stopped|quit|any more|anymore", "-has_role", r"{S}(?: {HAVE})?{A} (?:(?:am|is) no longer|(?:am|is) not|no longer works? as|(?:do|does) not work as|retired as|stopped being|quit being|gave up being|given up being|gave up working as)(?: an?)? (?P<v>(?!vegan|vegetar)[a-z][\w -]{2,30}?)(?=$|[,.;!]| and\b| but\b| any ?more| any longer| {WHEN})"),
    ("studying|study|degree|uni|read|major|reading", "studies", r"(?:{VV} is what {S}{A} (?:am studying|is studying|study|studies|am doing at uni)|{S}(?: {HAVE})?{A} (?:am |is )?(?:reading|majoring in|doing a (?:degree|bachelor's|master's|phd|course) in|taking a (?:degree|course) in|doing my degree in|doing a [a-z]+ degree in) (?!a book|the news|books){V}(?: at (?:uni|university|college))?|{S}(?: {HAVE})?{A} (?:swapped|traded|exchanged) {O} for {VV} (?:at|in) (?:uni|university|college))"),
    ("degree|course|studies|dropped|quit", "-studies", r"(?:{S}(?: {HAVE})?{A} (?:quit|dropped|abandoned|left|gave up|given up|packed in)(?: (?:my|his|her|the|a))? {VV} (?:degree|course|studies|major|programme)|{S} (?:no longer stud(?:y|ies)|am no longer studying|is no longer studying|am not studying|is not studying) {V})"),
    # ties, further ways
    ("seeing|dating|item|better half|other half|engaged|relationship", "partner", r"(?:{N} is the (?:man|woman|guy|girl|boy|person|one) {S} (?:am|is) (?:seeing|dating|with|in love with)|{S} (?:am|is){A} (?:seeing|dating|engaged to|in a relationship with|with) (?P<v>(?!Project){_W1_} {_W1_}|(?-i:[A-Z][a-z]+))(?= now|$|[,.;!]| these days| {WHEN})(?<=\w)|{P} (?:better|other) half is {N}|{S}(?: {HAVE})? left {ON} for {N}(?=$|[,.;!]| {WHEN}))"),
    ("separate ways|ended things|dumped|broke|apart|through with|split", "-partner", r"(?:{N} and (?P<s>I) (?:have )?(?:gone our separate ways|went our separate ways|ended (?:it|things)|drifted apart|are through)|{S}(?: {HAVE})?{A} (?:ended (?:it|things|the relationship) with|broken off with) {N}|{N} (?:has )?(?:dumped|left|ditched) (?P<p>me|him|her)(?=$|[,.;!]| {WHEN}| for\b))"),
    ("manages|in charge|supervises|leads|runs|oversees", "-boss", r"{N} (?:no longer|does not) (?:manages?|supervises?|oversees?|leads?) (?P<p>me|him|her|{_NAME_})"),
    ("manages|in charge|supervises|oversees|work for", "boss", r"(?:{N}{A} (?:manages|supervises|oversees) (?P<p>me|us|him|her|{_NAME_})(?=$|[,.;!]| now| at| {WHEN})|{N} is (?:now )?in charge of (?P<p>me|us|him|her|my team|our team)|{S} works? for (?P<v>{_W1_} {_W1_})(?= now|$|[,.;!]))"),
    ("friend|befriend|pals|buddies|mates|counts|chums", "-friend", r"(?:{N} and (?P<s>I) (?:have )?stopped being (?:friends|mates)|{S} no longer counts? {N} (?:as|among)|{N} is no longer (?:a|my) friend(?: of (?P<p>mine|his|hers))?)"),
    ("friend|befriend|pals|buddies|mates|chums", "friend", r"(?:{S}(?: {HAVE})?{A} befriended {N}|{S} (?:am|is|are){A}(?: good| great| close| best)? (?:pals|mates|buddies|chums) with {N}|{N} and (?P<s>I) are{A}(?: \w+){0,2} (?:friends|pals|mates|buddies|chums)|{N} is {P} (?:best |closest |oldest )?(?:friend|mate|pal|buddy)|{P} (?:best|closest|oldest) (?:friend|mate|pal|buddy) is {N})"),
    ("'s father|'s mother|'s dad|'s mum|'s mom|birth|father of|mother of", "child", r"(?:{S} (?:am|is) (?P<v>{_NAME_})'s (?:father|mother|dad|mum|mom|parent)|{S}(?: {HAVE})?{A} (?:gave birth to|had) an? (?P<k>girl|boy|son|daughter|baby),? (?:called |named )?{N})"),
    ("lives with|live with|moved in|share", "lives_with", r"(?:{N} (?:lives|is living|has moved in|moved in) with (?P<p>me|us|him|her)\b|{S}{A} shares? (?:my|his|her|our) (?:home|flat|house|apartment|place) with {N})"),
    ("moved out|share", "-lives_with", r"(?:{N} (?:has )?moved out(?: of (?P<p>my|our|his|her) (?:flat|house|place|home|apartment)|(?=$|[,.;!]))|{S} no longer shares? (?:a|my|his|her|the|our) (?:flat|house|place|home|apartment) with {N})"),
    # diet, birthday, language, allergy, further ways
    ("diet", "diet", r"{S}{A} (?:follow|follows|am on|is on|keep to|keeps to|stick to|sticks to|eat|eats) (?:an? |my |his |her )?(?P<v>[\w-]*(?:vegan|vegetarian|pescatarian|keto|paleo|gluten-free|halal|kosher|plant-based|low-carb|macrobiotic|\w+tarian|\w+ivorous)) (?:diet|lifestyle|food)"),
    ("birth|born", "birthday", r"(?:{P} (?:date of birth|birth ?day|birth date) (?:is|falls on) {DATE}|(?<!\w){DATE} is {P} (?:birthday|date of birth|big day))"),
    ("fluent|know|understand|master|learn", "language", r"(?:{P} {LANG} is (?:fluent|good|excellent|perfect|pretty good|decent)|{S}{A} (?:know|knows|understand|understands|understands and speaks|have mastered|has mastered|have learned|has learned|have learnt|has learnt) (?P<v>(?-i:[A-Z][a-z]+(?:ish|ese|ian|an|ic|ek|ch|hili|in|ili|ew|ech|ai|u|i)))(?=$|[,.;!]| now| well| fluently| quite))"),
    ("allerg|hives|react", "-allergy", r"(?:{P} {VV} allergy (?:is|has) (?:gone|over|cleared up|disappeared|vanished|cleared)|{S} (?:am|is) (?:no longer|not) allergic to {V})"),
    ("allerg|hives|react|swell|rash", "allergy", r"(?:{VV} (?:brings?|gives?|makes?) (?P<s>me|him|her) (?:out in hives|a rash|hives|swell up|itch|an allergic reaction|out in a rash)|{S}{A} (?:cannot|can not|must not|am not allowed to) (?:have|eat|touch|take|go near|be near) {VV},? (?:because|as|since|-)?[^.;]{0,20}allerg|{S}{A} (?:react|reacts) badly to {VV},[^.;]{0,20}allerg)"),
    # likes, dislikes, hobby, further ways
    ("interest|tired|bored|sick of|do it for|longer|passion|grown out|outgrow", "-likes", r"(?:{S}(?: {HAVE})?{A} (?:lost (?:all )?(?:interest|enthusiasm) (?:in|for)|grown out of|outgrown|had enough of|grown tired of|grown bored of|no longer (?:like|likes|love|loves|enjoy|enjoys|care for|cares for)) {V}|{VV} (?:does|do) not do it for (?P<p>me|him|her)|{P} (?:love|passion|enthusiasm) for {VV} (?:is gone|has faded|is over|faded|has gone))"),
    ("hate|mind|bother|dislike|peace|stand", "-dislikes", r"(?:{S} (?:no longer (?:hate|hates|dislike|dislikes|loathe|loathes|detest|detests|mind|minds)|do not (?:hate|dislike)|does not (?:hate|dislike)) {V}|{VV} (?:do|does) not (?:bother|annoy|irritate|disgust) (?P<p>me|him|her) any)"),
    ("cup of tea|keen|fond|sick|thing|without|do nothing|nerves|mad|crazy|stomach|not big", "dislikes", r"(?:{VV} (?:is|are) (?:not|really not|just not|definitely not) {P} (?:cup of tea|thing|style|bag)|{S} (?:am|is) (?:not|not very|not so|not too|not at all|not particularly|not exactly)(?: really)? (?:keen on|fond of|into|crazy about|a fan of|big on) {V}|{VV} (?:makes?|made|drives?) (?P<s>me|him|her) (?:sick|ill|mad|crazy|nauseous|gag|angry|furious|nuts)|{S} (?:could|can) (?:do|live) without {V}|{S} (?:cannot|could never) stomach {V}|{VV} does nothing for (?P<s>me))"),
    ("enough of|liking|ador|thrilled|into|die for|favourite|favorite|thing|heaven|makes my|weakness|passion|treasure|worship|dig|big on|live for|happiest", "likes", r"(?:{S} cannot get enough of {V}|{S}(?: {HAVE})?{A} taken a (?:liking|shine) to {V}|{S}{A} (?:adore|adores|worship|worships|relish|relishes|cherish|cherishes|am big on|is big on|am really into|is really into|am totally into|am into|is into|live for|lives for|would die for) (?!this|that|it\b){V}|{VV} (?:is|are) {P} (?:favourite|favorite|weakness|passion|great love|guilty pleasure|idea of heaven)(?: (?:kind|sort|type) of [a-z]+| [a-z]+)?(?=$|[,.;!]))"),
    ("thing|sane|hours|weekends|pastime|spare|evening|busy|leisure|practise|practice", "hobby", r"(?:{VV} (?:is|has become) (?P<m>my|his|her) (?:thing|escape|hobby of choice|way to (?:relax|unwind|switch off))\b|{VV} keeps (?P<s>me|him|her) (?:sane|busy|going|occupied)|{S} (?:do|does|practise|practises|practice|practices|go in for|goes in for) {VV} (?:in (?:my|his|her) (?:free|spare) time|for fun|as a hobby|at weekends|on weekends|to relax)|[Ii]n (?:my|his|her) (?:free|spare) time,? {S} (?:do|does|practise|practises|enjoy|enjoys|love|loves|like|likes|go|goes) {V})"),
    # pets and belongings, further ways
    ("died|passed away|put down|put to sleep|gave|given|ran away|run away|rehomed", "-pet", r"(?:{P} (?:\w+ )?{PET},? {N},? (?:has )?(?:died|passed away|ran away|run away|was put to sleep|is gone|is dead|is no longer with us)|{P} (?:\w+ )?{PET} (?:has )?(?:died|passed away)|{S}[^.;]{0,14}? (?:put|put down|rehome|give up) {N}(?: down| to sleep| away)?, (?:my|our|his|her) (?:\w+ )?{PET}|{S}(?: {HAVE})?{A} (?:gave|given) {N},? the {PET}|{N} (?:has )?(?:died|passed away|ran away)(?=$|[,.;!]| {WHEN})[^.]{0,30}(?:cat|dog|pet|rabbit|hamster))"),
    ("called it|named it|called him|called her|named him|named her", "pet", r"{S}(?: {HAVE})?{A} (?:took in|adopted|got|found|rescued|bought|brought home) an? (?:\w+ )?{PET} and (?:have )?(?:called|named) (?:it|him|her) {N}"),
    ("own|belong|among|possess|stolen|broke|any more|anymore", "-owns", r"(?:{P} (?P<v>[a-z][\w -]{2,24}?) (?:got|was|has been|were) (?:stolen|nicked|pinched|written off|scrapped|sold|taken)|{S} (?:do not|does not|no longer) (?:have|has|own|owns) (?:my|his|her|an?) (?P<v>(?!job|idea|clue|time|choice|problem|cold|headache|fever|boss|allergy|partner|boyfriend|girlfriend)[a-z][\w -]{2,24}?)(?: any ?more| any longer|$|[,.;!]))"),
    ("own|belong|among|possess", "owns", r"(?:an? {VV} is among {P} (?:belongings|things|possessions)|{S}{A} (?:possess|possesses) an? {V}|{S} (?:am|is) the (?:\w+ )?owner of an? {V})"),
    ("involved|part of|assigned|left|busy", "-project", r"{S}(?: {HAVE})?{A} (?:am |is )?(?:left|quit|no longer involved in|not involved in|no longer part of|no longer on|handed over|withdrawn from|withdrew from) (?P<v>(?:the )?(?:Project|Programme|Program|Operation|Initiative) {_W1_}(?: {_W1_})*)"),
    ("involved|part of|assigned|busy|contribut|helping", "project", r"{S}(?: {HAVE})?(?: {BE})?{A} (?:involved (?:in|with)|part of|helping (?:with|on)|contributing to|in charge of|leading|heading) (?P<v>(?:the )?(?:Project|Programme|Program|Operation|Initiative) {_W1_}(?: {_W1_})*)"),
    ("club|society|choir|band|team|group|league|association|guild|orchestra|union|circle|collective|crew|troupe|squad|network|cooperative|co-op|chapter", "-member_of?", r"{S}(?: {HAVE})?{A} (?:left|quit|dropped out of|resigned from|walked out of|stepped down from|no longer (?:in|with|part of|a member of)|cancelled (?:my|his|her) membership (?:of|at|in|with)) (?P<v>{_GROUP_})"),
    ("club|society|choir|band|team|group|league|association|guild|orchestra|union|circle|collective|crew|troupe|squad|network|cooperative|co-op|chapter", "member_of?", r"{S}(?: {HAVE})?(?: {BE})?{A} (?:play in|plays in|play for|plays for|sing in|sings in|sing with|sings with|joined|in|signed up (?:for|with)|enrolled in|volunteer with|volunteers with|train with|trains with) (?P<v>{_GROUP_})"),
    # health, further ways
    ("come down|caught|diagnosed|bother|troubl|acting up|flared|plagu|killing", "health", r"(?:{S}(?: {HAVE})?{A} (?:come down with|came down with|caught|contracted|developed|been diagnosed with|was diagnosed with|live with|lives with) (?!an? allergy|the (?:bus|train)|a (?:glimpse|bus|train|ride|habit|taste|love)|up\b|feelings)(?P<v>(?-i:[a-z])[^,;:.!?()]{2,40}?){E}|(?P<v>(?!work|life|the|it|that|this|something|nothing|\w+ing)(?-i:[a-z])[\w ]{3,30}?) (?:has|have) been (?:bothering|troubling|plaguing|killing|tormenting) (?P<p>me|him|her)|{P} (?P<v>(?-i:[a-z])[\w ]{3,24}?) (?:is|has been|keeps) (?:acting up|flaring up|playing up))"),
    ("cleared|healed|gone|better|over|longer|recovered", "-health", r"(?:{P} (?P<v>(?!job|house|life|car|dog|cat|name|boss|partner|degree|course|time|day|money|allergy|love|weather)(?-i:[a-z])[\w ]{3,24}?) (?:has|have) (?:cleared(?: up)?|healed|gone away|passed|disappeared)|{S} no longer (?:suffer|suffers) from {V})"),
    # plans that fell through, further ways
    ("called off|cancel|not going|postponed|fell through|scrapped|pulled out|backed out", "-plan", r"(?:{P} (?P<v>(?!subscription|order|account|train|flight|plans?\b)(?-i:[a-z])[\w' -]{3,40}?) (?:was|has been|is|got|were|have been|fell) (?:cancelled|canceled|called off|scrapped|through|off)|{S} (?:am|is) not going (?:to|on) (?:the |my |that |his |her )(?P<v>[a-z][\w' -]{3,40}?)(?: after all| any ?more|$|[,.;!])|{S}(?: {HAVE})?{A} (?:pulled|backed|bowed|dropped) out of (?:the |my |that |his |her )(?P<v>(?!race\b|school|college|uni)[a-z][\w' -]{3,40}?)(?=$|[,.;!]| {WHEN}))"),
    ("am a|is a", "has_role", r"{S} (?:am|is)(?: now| still| currently)? an? (?P<v>(?:[a-z-]+ )?[a-z-]{3,}(?:smith|wright|ologist|ographer|iatrist|keeper|ician|arian|maker|worker|builder|driver|grower|fitter|operator|inspector|surveyor|broker|dealer|trainer|designer|writer|layer|monger|herd))(?=$|[,.;!]| (?:at|for|in|by|with|now)\b| {WHEN})"),
)  # fmt: skip
