"""English patterns of the attributes, from the telling to the vague."""

# ruff: noqa: E501  (tables of words and patterns read better on long lines)

from __future__ import annotations

import re
from functools import cache

from arandu_lab.llm.rules import lexicon_en as lex

NEGATION = re.compile(
    r"\b(?:not|never|no longer|cannot|can't|without|stopped|quit|gave up|none)\b|n't\b", re.IGNORECASE
)
ENDED = re.compile(
    r"\b(?:no longer|not [\w ]{1,40}? (?:any ?more|any longer)|any ?more|any longer|stopped|quit|gave up|used to|former(?:ly)?|ex-|cancel(?:l?ed|s)|"
    r"called off|scratch that|left|retired from|resigned|laid off|fired|let go|broke up|divorced|separated|sold|returned|ended|dropped out|is over)\b",
    re.IGNORECASE,
)
_NAME = (r"(?P<v{n}>(?-i:(?:the )?[A-ZÀ-Ý][\w'’&.-]*(?: (?:(?:of|de|da|do|dos|das|the|&|and) )?(?:the )?[A-ZÀ-Ý][\w'’&.-]*)*))")  # fmt: skip
_OBJ = r"(?P<v{n}>[^.;:!?]{{2,120}})"
_KIN = "|".join(sorted(lex.KIN, key=len, reverse=True))
_PET = "|".join(sorted(lex.PETS, key=len, reverse=True))
_ROLE = "|".join(sorted(lex.ROLES, key=len, reverse=True))
_LANGUAGE = ("English|French|Spanish|German|Italian|Portuguese|Chinese|Mandarin|Japanese|Russian|Korean|Arabic|Hindi|Dutch|Swedish|Norwegian|Danish|"
             "Finnish|Greek|Turkish|Polish|Hebrew|Latin|Irish|Welsh|sign language")  # fmt: skip

_TABLE = (
    ("ex_partner", r"^[A-ZÀ-Ý][\w' -]{1,40}? (?:dumped) (?P<v9>(?-i:[A-ZÀ-Ý][\w'-]*))$|\b(?:broke up|breaking up|broken up|splitting up|dumped|split up|separated|divorced|ended things|called off (?:the|his|her|their) (?:engagement|wedding))\b(?: (?:with|from) NAME)?"),
    ("spouse", r"'s (?:wife|husband|spouse)\b[^.]{0,30}? is (?:called |named )?NAME"),
    ("spouse", r"\b(?:is|got|was|are|were|been|gets|getting) (?:\w+ )?married\b(?: (?:to|with) NAME)?|\bmarried NAME|\bwedding anniversary\b|^NAME is [^.]*'s (?:wife|husband)\b"),
    ("ex_partner", r"'s ex(?:-\w+)? is NAME"),
    ("partner", r"'s (?:girlfriend|boyfriend|partner|fianc[eé]e?)\b[^.]{0,30}? is (?:called |named )?NAME|\b(?:dating|engaged to|in a relationship with|seeing) NAME|\bgot engaged\b|^NAME is [^.]*'s (?:girlfriend|boyfriend|partner|fianc\w+)\b"),
    ("child", r"'s (?:son|daughter|kid|child|baby)\b[^.]{0,30}? is (?:called |named )?NAME|^NAME is [^.]*'s (?:son|daughter)\b|\b(?:has|have|had) (?:a|an|one|two|three|four|\d+) (?:\w+ )?(?:sons?|daughters?|kids?|children|baby|babies|twins)\b(?:,? (?:named |called )?NAME)?|\bexpecting (?:a )?(?P<v9>(?:baby |)(?:girl|boy|baby|twins|child))|\bgave birth\b"),
    ("parent", r"'s (?:mother|father|mom|mum|dad|stepmother|stepfather)\b[^.]{0,20}? is (?:called |named )?NAME|^NAME is [^.]*'s (?:mother|father|mom|mum|dad)\b"),
    ("sibling", r"'s (?:\w+ )?(?:brother|sister|twin|sibling)s?\b[^.]{0,20}? (?:is|are) (?:called |named )?NAME|^NAME is [^.]*'s (?:\w+ )?(?:brother|sister|twin)\b|\bhas (?:a|an|one|two|three|\d+) (?:\w+ )?(?:brothers?|sisters?|siblings?)\b"),
    ("boss", r"'s (?:\w+ )?(?:boss|manager|supervisor|advis[oe]r)\b[^.]{0,20}? is (?:called |named )?NAME|\breports? to NAME|^NAME is [^.]*'s (?:boss|manager|supervisor|advis[oe]r)\b"),
    ("colleague", r"'s (?:\w+ )?(?:colleague|coworker|co-worker|teammate|classmate|deputy|assistant|intern)\b[^.]{0,20}? is (?:called |named )?NAME|^NAME is [^.]*'s (?:colleague|coworker|co-worker|teammate)\b"),
    ("friend", r"'s (?:[\w ]+ )?(?:friend|buddy|bestie|roommate|flatmate|housemate|neighbou?r)s?\b[^.]{0,20}? (?:is|are) (?:called |named )?NAME|^NAME is [^.]*'s (?:[\w ]+ )?friend\b|\bfriends? with NAME"),
    ("relative", rf"'s (?:{_KIN})\b is (?:called |named )?NAME|^NAME is [^.]*'s (?:{_KIN})\b"),
    ("pet", rf"'s (?:{_PET})\b is (?:called |named )?NAME|\b(?:has|have|had|adopt\w*|got|gets|getting|rescued|bought|owns?|kept) (?:[\w'-]+ ){{0,6}}?(?:{_PET})s?\b(?:,? (?:called|named)? ?NAME)?"),
    ("allergy", r"\ballergic to OBJ|\bhas (?:a|an) (?P<v8>[\w ]+?) allergy|\ballergy (?:to|is) OBJ|\b(?P<v9>\w+)[- ]intoleran"),
    ("diet", r"\b(?P<v7>vegan|vegetarian|pescatarian|keto|gluten[- ]free|halal|kosher|dairy[- ]free)\b|\b(?:does not|no longer|stopped|quit|gave up|never|has not) (?:eat(?:ing|en|s)?|drink(?:ing|s)?) OBJ|\b(?:eats|drinks|eating|drinking) (?P<v8>(?:meat|fish|pork|dairy|coffee|alcohol|gluten|sugar)\b[^.;]*)"),
    ("birthday", r"\bbirthday (?:is|was|falls)(?: on)? OBJ|\bwas born on OBJ|\bturn(?:s|ed|ing) [\w-]+ (?P<v9>(?:on|in|this|next) [^.;]+)"),
    ("age", r"\b(?:is|turned|turns|turning) (?P<v9>\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)(?: years? old)?(?=$|[.,;]| (?:this|next|in|on|now|today|last|years))"),
    ("name", r"\b(?:goes by|is called|prefers to be called|nickname is|changed (?:his|her|their) name to|full name is) NAME"),
    ("health", r"\b(?:diagnosed with|suffers? from|recovering from|has (?:had )?(?:a |an )?(?:type \d )?(?=diabetes|asthma|cancer|migraine|arthritis|anxiety|depression|adhd|insomnia|flu|cold|fever|covid)) ?OBJ|\b(?:broke|sprained|twisted|injured|hurt|fractured|tore|dislocated) (?P<v8>(?:his|her|their|a|an) [\w ]+)|\b(?P<v9>(?:[\w ]+ )?pregnant)\b|\bhad (?P<v6>[\w ]*(?:surgery|operation|procedure))\b|\bhas (?P<v5>(?:a |an )?(?:torn|broken|sprained|bad|fractured) [\w ]+)"),
    ("studies_at", r"\b(?:stud(?:y|ies|ied|ying)|attends?|attended|attending|enrolled|enroll?s?|graduated|graduates|graduating|accepted|doing|degree|phd|master'?s|goes to|went to|student|year)\b[^.;]{0,40}?\b(?:at|from|to|into|in) (?P<v1>(?-i:(?:the )?(?:[A-ZÀ-Ý][\w'’&.-]* (?:of )?)*(?:University|College|School|Institute|Academy|Polytechnic|MIT|UCLA|Harvard|Stanford|Oxford|Cambridge|Yale|[A-Z]{2,6})(?: (?:of )?[A-ZÀ-Ý][\w'’.-]*)*))|\b(?:studies|studied|studying|attends|attending|enrolled)(?: [\w ]{1,30})? at NAME|\b(?:(?:first|second|third|last|final) year(?: of [a-z]+)?|PhD|degree|master'?s|doctorate)(?: [a-z]+){0,2} at NAME"),
    ("works_at", r"\b(?:quit|left|leaves|leaving|resigned from|laid off (?:by|from)|fired (?:by|from)|let go (?:by|from)|retired from) (?:(?:his|her|their|the) job (?:at|with) )?NAME|\b(?:was|got|been) (?:laid off|fired|let go)(?: (?:by|from|at) NAME)?|\b(?:quit|lost|left) (?:his|her|their) (?P<v8>job)"),
    ("has_role", rf"^[^.;,]{{1,60}}? (?:is|was|became|has been|has become|will be)(?: no longer| now| still| also| currently| actually)? (?:a |an |the )?(?P<v8>(?:[\w'-]+ ){{0,3}}?(?:{_ROLE})\b)(?: (?:at|for|in|of|on) [^.;]*)?(?: since [^.;]*)?\.?$"),
    ("works_at", r"\b(?:work(?:s|ed|ing)?|employed|intern(?:s|ed|ing)?|job|position|role|started|starts|starting|hired|freelances|shift|manager|engineer|nurse|director|teacher|developer|chef|analyst)\b[^.;]{0,40}?\b(?:at|for|with|by) NAME|\b(?:joined|joins|joining) NAME|\bon (?:nights|days|shift|duty|call)\b[^.;]{0,20}? at NAME"),
    ("has_role", rf"\b(?:work(?:s|ed|ing)?|started|promoted|hired|retired|serves|served|joined [\w ]+) (?:[\w ]{{1,40}} )?(?:as|to) (?:a |an |the )?OBJ|(?:\bis|\bwas|\bbecame|\bbecome|\bbeen|\bbecoming)(?: now| still| also| currently| actually)? (?:a |an |the |his |her |their )?(?P<v8>(?:[\w'-]+ ){{0,4}}?(?:{_ROLE})s?\b[^.,;]*)|\bteaches (?P<v9>[^.,;]+)|\b(?P<v7>[\w ]+) for a living"),
    ("from", r"\b(?:is|was|comes|came|are)(?: originally)? from NAME|\bborn(?: and raised)? in NAME|\bgrew up in NAME|\braised in NAME|\bhometown is NAME"),
    ("lives_in", r"(?<!been )(?<!defence )\b(?:lives?|lived|living|resides?|based|moved|moves|moving|move|relocat\w+|settled|settling)\b(?: [\w'-]+){0,4}? (?:in|to|at|on|near|into|with) (?!in\b|\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|the \d)OBJ|\b(?:apartment|flat|house|home|place|rents?|renting)\b[^.;]{0,30}? (?:is |)(?:in|on|at) (?!Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December)NAME"),
    ("language", rf"\b(?:speaks?|learn(?:s|ing|ed)?|fluent in|studying|practi[sc]ing) (?P<v1>(?:[\w ]+ )?(?:{_LANGUAGE})\b[^.;]*)"),
    ("studies", r"\b(?:stud(?:y|ies|ied|ying)|majors?|majored|majoring|doing a|degree in|phd|master'?s|taking a course|learning|graduated)\b(?: in)? ?OBJ"),
    ("dislikes", r"\b(?:hates?|hated|dislikes?|cannot stand|can't stand|despises?|detests?|loathes?|(?:does not|did not|do not) (?:really |much )?(?:like|enjoy|love)|is not a (?:big )?fan of|is scared of|is afraid of|is terrified of) OBJ"),
    ("likes", r"\b(?:likes?|liked|loves?|loved|enjoys?|enjoyed|adores?|prefers?|preferred|is (?:a (?:big |huge )?fan of|into|fond of|obsessed with|crazy about|hooked on|passionate about)) (?!to be called)OBJ|\bfavou?rite [\w ]+? (?:is|are|was) OBJ|(?P<v8>[^.;]+?) is [\w ]*'s favou?rite\b"),
    ("plan", r"\b(?:will|shall|is going to|are going to|plans?|planning|intends?|hopes? to|wants? to|would like to|would love to|booked|scheduled|aims? to|is about to|is due|are due|due|looking forward to|thinking (?:of|about)|considering|promised|committed|committing|is supposed to|has to|needs? to|applying|might|may)\b ?OBJ|\b(?:is|are) (?P<v8>(?:flying|moving|getting|having|visiting|starting|taking|leaving|going|coming|running|hosting|throwing|opening|signing|meeting|travell?ing|adopting|buying|selling|joining)\b[^.;]*)"),
    ("project", r"\b(?:building|writing|working on|develops?|developing|restoring|renovating|composing|designing|creating|making|leads?|leading) (?!on )OBJ"),
    ("member_of", r"\bmember of OBJ|\b(?:plays|sings|drums|volunteers|volunteering|volunteered) (?:for|in|at|with) OBJ|\b(?:joined|part of|belongs to) (?P<v8>(?:a|an|the|his|her|their) [\w ]*(?:club|band|choir|team|group|gym|league|society|church|council)[^.;]*)"),
    ("habit", r"\b(?:every (?:single )?(?:day|morning|night|evening|week|weekend|month|year|other|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|usually|twice a|once a|(?:quit|stopped|started|gave up) (?:smoking|drinking|vaping)|smok(?:es?|ed|ing)|wakes? up|gets up)\b"),
    ("habit", r" (?:does not|no longer|never) (?:even |really )?(?P<v8>[a-z]{3,})(?: (?:any ?more|at all))?$"),
    ("hobby", r"\b(?:plays?|playing|practi[sc]es?|practi[sc]ing|took up|taken up|takes? up|picked up|hobby is|got into|collects?|collecting|trains?|training|goes (?=\w+ing)|been (?=climbing|running|painting|dancing|hiking|swimming|cycling|surfing|knitting|gardening|baking|sketching)) ?OBJ|\b(?P<v8>(?:runs|paints|dances|hikes|climbs|swims|cycles|surfs|knits|gardens|bakes|sketches|sings|skis|sews|fishes|jogs)\b[^.;]*)"),
    ("owns", r"\b(?:sold|got rid of|gave away|gives away|has sold|parted with) (?:his|her|their|the) OBJ|\b(?:owns?|owned|bought|buys|purchased|drives|got (?:a|an|the|his|her|their) new) OBJ|\bhas (?P<v8>(?:a|an|two|three) [^.;]+)"),
)  # fmt: skip


@cache
def patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """(attribute, compiled pattern) in order."""
    return tuple((name, re.compile(_filled(text), re.IGNORECASE)) for name, text in _TABLE)


def _filled(text: str) -> str:
    """The pattern with its NAME and OBJ holes as groups ``v1``, ``v2``…"""
    pieces = re.split(r"(NAME|OBJ)", text)
    number = 10
    for index, piece in enumerate(pieces):
        if piece in ("NAME", "OBJ"):
            pieces[index] = (
                (_NAME if piece == "NAME" else _OBJ).replace("{n}", str(number)).replace("{{", "{").replace("}}", "}")
            )
            number += 1
    return "".join(pieces)
