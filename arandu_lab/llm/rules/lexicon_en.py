"""English words the rules know: verbs and their forms, kinship, words that are no names. Tables only."""

# ruff: noqa: E501  (tables of words and patterns read better on long lines)

from __future__ import annotations

from functools import cache

AUX = frozenset(
    "am is are was were be been being have has had do does did will would shall should can could may might must "
    "cannot ain't".split()
)
BE = frozenset("am is are was were be been being".split())
MODAL = frozenset("will would shall should can could may might must cannot".split())

_IRREGULAR = """
be was been|have had had|do did done|go went gone|say said said|get got gotten|make made made|know knew known|think thought thought
take took taken|see saw seen|come came come|find found found|give gave given|tell told told|feel felt felt|become became become
leave left left|mean meant meant|keep kept kept|begin began begun|show showed shown|hear heard heard|run ran run|hold held held
bring brought brought|write wrote written|sit sat sat|stand stood stood|lose lost lost|pay paid paid|meet met met|spend spent spent
grow grew grown|win won won|teach taught taught|buy bought bought|send sent sent|build built built|fall fell fallen|cut cut cut
sell sold sold|speak spoke spoken|read read read|drive drove driven|break broke broken|choose chose chosen|eat ate eaten
drink drank drunk|sing sang sung|swim swam swum|fly flew flown|wear wore worn|draw drew drawn|forget forgot forgotten
sleep slept slept|fight fought fought|catch caught caught|ride rode ridden|hit hit hit|put put put|set set set|let let let|shut shut shut
quit quit quit|hurt hurt hurt|cost cost cost|bet bet bet|lead led led|understand understood understood|throw threw thrown
wake woke woken|hang hung hung|dig dug dug|bite bit bitten|steal stole stolen|tear tore torn|shoot shot shot|stick stuck stuck
lend lent lent|feed fed fed|hide hid hidden|light lit lit|rise rose risen|shake shook shaken|deal dealt dealt|dream dreamt dreamt
learn learnt learnt|spread spread spread|seek sought sought|lay laid laid|lie lay lain|swear swore sworn|split split split
undergo underwent undergone|rebuild rebuilt rebuilt|overcome overcame overcome|withdraw withdrew withdrawn|bake baked baked
"""
_REGULAR = """
work live move like love hate enjoy prefer need want hope plan start stop finish try use study play cook travel visit stay marry
divorce adopt own rent volunteer join hire fire retire graduate train practise practice collect paint dance walk hike climb ski jog
garden knit sew fish surf camp watch listen attend celebrate organize organise host invite call text email ask answer help support
book order cancel postpone schedule reschedule change switch replace upgrade fix repair renovate decorate clean wash cook roast grill
avoid skip miss fail pass apply interview accept reject refuse decline decide agree commit promise intend expect consider discover
realize realise remember recommend suggest mention explain discuss describe review report launch release ship deploy develop design
create publish record perform produce manage supervise run coach mentor report belong relocate commute settle arrive depart return
land board check pack share split date propose engage expect raise name describe suffer recover heal injure sprain twist diagnose
treat cure smoke vape crave allergise react vomit cough sneeze lift exercise stretch meditate pray worship convert believe vote
protest donate save invest borrow owe earn charge cost weigh measure speak stutter translate code program debug test maintain merge
push pull commit host serve turn pick drop lock open close carry climb cross pass follow lead handle wonder worry fear trust doubt
admire respect thank apologise apologize forgive blame complain argue shout cry laugh smile joke kiss hug touch smell taste look
sound seem appear happen exist remain last continue end resume adjust update upload download install configure migrate scan print
file submit revise edit proofread cite fund sponsor source supply deliver ship contact consult advise confirm deny insist claim admit
identify flag outline workshop explore summarize summarise coordinate pair trace draft finalize finalise approve sign negotiate
resign promote transfer enrol enroll drop repeat skate cycle bike row sail paddle snowboard kayak sketch photograph film stream podcast
blog tweet post subscribe follow binge game bowl golf box wrestle lift crochet weld carve plant water harvest breed groom foster rescue
feed bark bite escape chew allow let block mute snooze wait stick wish care mind matter sign enlist patrol nurse tutor lecture research
specialise specialize major minor focus concentrate rely depend emerge bloom survive thrive struggle battle cope manage
attract involve include contain require lack prove support oppose defend protect bother annoy irritate upset surprise shock inspire motivate
influence remind notice observe spot gain lose reduce increase double triple cover shift sink drown rush hurry crash bump slip trip collapse
bring offer extend renew expire freeze boil fry steam peel chop taste season dine order tip reserve cater entertain babysit parent
die tie iron roll emigrate immigrate migrate rebook reorder refuse postpone stroll wed elope separate reconcile flirt cheat hum whistle compose strum drum rehearse audition star direct act model pose
""".replace("\n", " ")

THINK = frozenset(
    "think guess believe suppose reckon figure imagine assume suspect feel heard hear gather doubt wonder".split()
)
WISH = frozenset("hope wish pray".split())
SAY = frozenset(
    "say tell mention explain report claim insist admit confirm announce add note state declare swear realize realise "
    "know remember remind notice learn discover".split()
)

KIN = {
    "wife": "spouse", "husband": "spouse", "spouse": "spouse", "hubby": "spouse",
    "girlfriend": "partner", "boyfriend": "partner", "partner": "partner", "fiance": "partner", "fiancee": "partner",
    "fiancé": "partner", "fiancée": "partner", "gf": "partner", "bf": "partner",
    "ex-wife": "ex_partner", "ex-husband": "ex_partner", "ex": "ex_partner", "ex-girlfriend": "ex_partner", "ex-boyfriend": "ex_partner",
    "son": "child", "daughter": "child", "kid": "child", "child": "child", "stepson": "child", "stepdaughter": "child", "baby": "child",
    "mother": "parent", "father": "parent", "mom": "parent", "mum": "parent", "dad": "parent", "mommy": "parent", "daddy": "parent",
    "stepmother": "parent", "stepfather": "parent", "stepdad": "parent", "stepmom": "parent",
    "brother": "sibling", "sister": "sibling", "twin": "sibling", "sibling": "sibling", "bro": "sibling", "sis": "sibling",
    "stepbrother": "sibling", "stepsister": "sibling", "half-brother": "sibling", "half-sister": "sibling",
    "friend": "friend", "buddy": "friend", "bestie": "friend", "pal": "friend", "mate": "friend", "roommate": "friend",
    "flatmate": "friend", "housemate": "friend", "neighbour": "friend", "neighbor": "friend",
    "aunt": "relative", "uncle": "relative", "cousin": "relative", "niece": "relative", "nephew": "relative", "grandma": "relative",
    "grandmother": "relative", "grandpa": "relative", "grandfather": "relative", "grandson": "relative", "granddaughter": "relative",
    "godmother": "relative", "godfather": "relative", "godson": "relative", "goddaughter": "relative", "nan": "relative", "gran": "relative",
    "granny": "relative", "mother-in-law": "relative", "father-in-law": "relative", "sister-in-law": "relative",
    "brother-in-law": "relative", "in-laws": "relative",
    "boss": "boss", "manager": "boss", "supervisor": "boss", "advisor": "boss", "adviser": "boss",
    "colleague": "colleague", "coworker": "colleague", "co-worker": "colleague", "teammate": "colleague", "classmate": "colleague",
    "deputy": "colleague", "assistant": "colleague", "intern": "colleague",
}  # fmt: skip
KIN_PLURAL = {word + "s": slot for word, slot in KIN.items()} | {"children": "child", "parents": "parent", "folks": "parent",
                                                                "wives": "spouse", "babies": "child"}  # fmt: skip
FEMALE = frozenset(
    "wife girlfriend fiancee fiancée gf ex-wife ex-girlfriend daughter mother mom mum mommy stepmother stepmom sister sis "
    "aunt niece grandma grandmother granddaughter godmother nan gran granny stepdaughter woman girl lady".split()
)
MALE = frozenset(
    "husband hubby boyfriend fiance fiancé bf ex-husband ex-boyfriend son father dad daddy stepfather stepdad brother bro "
    "uncle nephew grandpa grandfather grandson godfather stepson man guy boy gentleman".split()
)
PETS = frozenset(
    "dog cat puppy kitten hamster rabbit bunny parrot bird fish goldfish turtle tortoise snake lizard horse pony ferret "
    "guinea-pig gecko iguana hen goat pup doggo kitty beagle poodle labrador lab retriever greyhound terrier bulldog "
    "dachshund corgi husky spaniel collie tabby mutt pet parakeet budgie chinchilla rat mouse newfoundland".split()
)
TITLES = frozenset(
    "mr mrs ms miss dr prof professor doctor sir captain aunt uncle father sister rev judge senator president".split()
)
ROLES = frozenset(
    """nurse doctor teacher engineer developer programmer designer lawyer chef cook baker barista waiter waitress bartender
manager director analyst accountant architect artist musician singer guitarist drummer writer author journalist editor photographer
electrician plumber carpenter mechanic driver pilot firefighter paramedic policeman cop soldier scientist researcher professor lecturer
student intern archivist agronomist curator paralegal librarian pharmacist dentist hygienist therapist psychologist psychiatrist vet veterinarian surgeon surveyor biologist
chemist physicist economist consultant salesman saleswoman salesperson cashier clerk secretary receptionist farmer gardener fisherman
sailor captain mate coach trainer tutor translator interpreter actor actress dancer painter sculptor tailor hairdresser barber butcher
banker broker realtor entrepreneur founder ceo cto cfo coo freelancer contractor bookkeeper head lead supervisor coordinator
administrator sysadmin data-scientist midwife caregiver nanny social-worker counsellor counselor priest pastor nun monk mayor
politician diplomat officer detective guard technician machinist welder roofer builder potter illustrator animator producer composer
conductor entomologist geologist astronomer astronaut statistician mathematician historian archaeologist linguist philosopher apprentice
trainee resident postdoc volunteer specialist strategist marketer recruiter buyer planner operator courier postman janitor cleaner
maid butler concierge flight-attendant steward stewardess hygienist optician sommelier brewer winemaker beekeeper""".split()
)
EVENTS = frozenset(
    """interview surgery operation appointment exam test party wedding funeral flight trip meeting birthday deadline concert
gig game match race marathon exhibition opening ceremony graduation conference defense defence presentation class lesson
checkup scan baptism shower festival reunion vacation holiday honeymoon launch release move closing viewing audition
premiere recital tournament final recording hearing trial date dinner lunch barbecue bbq picnic procedure due-date anniversary""".split()
)
OWNED = frozenset(
    """apartment flat house home place room car bike bicycle motorcycle motorbike truck van boat guitar piano bass laptop
phone computer job salary rent mortgage office desk studio shop store business company startup team class school course thesis
dissertation book novel blog podcast channel band garden farm cabin cottage shift schedule contract lease visa passport diet allergy
knee ankle back leg arm shoulder wrist foot hip tooth teeth heart blood eyes ears skin hair thyroid cholesterol favourite favorite
hometown dream goal major degree degree phd hobby""".split()
)

NOT_NAMES = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
october november december mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec christmas
easter halloween thanksgiving i ok okay lol lmao omg btw tbh imo fyi tv pc ai id phd ceo cto cfo hr pr er diy faq pdf url api usb gps dj
english french spanish german italian portuguese chinese japanese korean russian arabic brazilian american british canadian mexican indian
european african asian irish scottish welsh dutch swedish norwegian danish finnish greek turkish polish welsh latin hindi hebrew
catholic christian muslim jewish buddhist god covid internet mr mrs ms dr am pm new year years eve day morning night happy merry
grade level chapter section part""".split()
)

COMMON = frozenset(
    """
a about above absolutely actually after again against ago agree agreed ah aha ahh all almost along already alright also although always amazing
an and another any anybody anymore anyone anything anyway apparently are aren't around as ask at aw aww awesome away awful back bad barely
based basically be beautiful because been before behind being below best better between big birthday both breakfast bring brilliant but by bye call can
can't cancelled cannot captain certainly cheers clearly close cold come coming company confirmed congrats congratulations cool correct correction could
couldn't crazy cute damn day days dear deep definitely did didn't different dinner do does doesn't doing don't done down dude due during each
early easy eight eighteen either eleven else enjoy enough especially even ever every everybody everyone everything evening exactly excellent except excited
extra fact fair fantastic far feel few fewer fifteen fifty final finally fine first five food for forget forty four fourteen from full fun
funny gee get getting give glad go god going good goodbye goodnight gorgeous got gotta great guess guys gym ha haha hahaha had half
hang happy hard hardly has hasn't have haven't having he he's hell hello her here here's hers hey hi high him his hm hmm hold home
honestly hooray hope hopefully hot how how's however hug hugs hundred hurray i'm i've i'll i'd if important in incredible indeed initially instead
interesting into is isn't it it's its itself jeez just keep kids kind kinda last late lately later least left less let let's like
literally little live lol long look looking looks lots love loved lovely low lucky lunch luckily make making many maybe me mean meanwhile meetings
mine miss money more moreover morning most mostly move much my myself nah natural near nearly neat need never nevertheless new news next
nice night nine no nobody noon nope not note noted nothing now nowadays of off oh ok okay old on once one only ooh oops open opposite or
other others otherwise ouch our ours out outside over overall own people perfect perhaps personally please plus poor possibly pretty probably
promise proud put quick quickly quiet quite rarely rather ready really recently red regarding remember right sad safe said same says seems
seriously seven several shall she she's should shoot since sir six sleep small so some somebody someday someone something sometimes somewhat soon sorry
sounds speaking special start starting still stop strange stuff such sunday super sure surely sweet take tell ten thank thankfully thanks that that's the
their theirs them themselves then there there's these they they're they've thing things think this those though thought thousand three through thus
time tired to today together tomorrow tonight too total totally tough true truly try trying turns twelve twenty two ugh uh uh-huh um under
unemployed unfortunately unless until up upon us used usually very wait wanna want warm was wasn't watch way we we're we've weekend weekends
welcome well went were what what's whatever when whenever where where's which while who who's whoa whole whom whose why wild will wish with within without woke
won't wonder wonderful word work working worst would wouldn't wow wrong yay yeah year yep yes yesterday yet you you're you've young your yours
yourself yup zero surfacing apple soil team weekly funny thing email update evening afternoon reached ran filed tested
""".split()
)


@cache
def forms() -> dict[str, tuple[tuple[str, str], ...]]:
    """Every known form -> its (lemma, kind) readings; kinds: base third past participle ing.

    >>> forms()["moved"], forms()["quit"][0]
    ((('move', 'past'), ('move', 'participle')), ('quit', 'base'))
    """
    table: dict[str, list[tuple[str, str]]] = {}

    def add(form: str, lemma: str, kind: str) -> None:
        readings = table.setdefault(form, [])
        if (lemma, kind) not in readings:
            readings.append((lemma, kind))

    irregular = {}
    for line in _IRREGULAR.replace("\n", "|").split("|"):
        if line.strip():
            base, past, part = line.split()
            irregular[base] = (past, part)
    for base in [*irregular, *_REGULAR.split()]:
        past, part = irregular.get(base) or (past_of(base),) * 2
        add(base, base, "base")
        add(third(base), base, "third")
        add(past, base, "past")
        add(part, base, "participle")
        add(gerund(base), base, "ing")
    add("were", "be", "past")
    add("got", "get", "participle")
    add("am", "be", "base")
    add("are", "be", "base")
    return {form: tuple(readings) for form, readings in table.items()}


_DOUBLING = frozenset(
    "stop plan drop skip ship chat jog chop hop slip trip pet hug scan program debug commit submit cut hit put set let "
    "shut quit run sit swim get win dig begin bet grin hum drum strum star tip split spot wed flag knit".split()
)
_VOWELS = "aeiou"


def third(base: str) -> str:
    """The third person singular: ``goes``, ``studies``, ``has``."""
    if base in {"be", "have"}:
        return {"be": "is", "have": "has"}[base]
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ies"
    return base + "s"


def past_of(base: str) -> str:
    """The regular past: ``moved``, ``studied``, ``stopped``."""
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ied"
    return base + (base[-1] if base in _DOUBLING else "") + "ed"


def gerund(base: str) -> str:
    """The -ing form: ``moving``, ``lying``, ``running``."""
    if base == "be":
        return "being"
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith("ee"):
        return base[:-1] + "ing"
    return base + (base[-1] if base in _DOUBLING else "") + "ing"


@cache
def lemma(word: str) -> str:
    """The base form of a verb form, else the word itself."""
    readings = forms().get(word)
    return readings[0][0] if readings else word
