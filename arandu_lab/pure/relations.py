"""Relation types: one spelling each, and how an edge reads as a sentence."""

from __future__ import annotations

import re

from arandu_lab.pure.text import normal

_ALIASES = {
    "lives_in": """
        live_in living_in resides_in reside_in located_in based_in mora_em mora_no mora_na vive_em reside_em
        moved_to mudou_para
    """,
    "works_at": """
        work_at works_for work_for employed_by employed_at employee_of working_at trabalha_em trabalha_na
        trabalha_no trabalha_para
    """,
    "former_employee_of": """
        worked_at ex_employee_of formerly_at trabalhou_em trabalhou_na trabalhou_no ex_funcionario_de left
    """,
    "studies_at": "study_at student_of student_at studying_at attends estuda_em estuda_na estuda_no",
    "member_of": "belongs_to part_of plays_for membro_de participa_de faz_parte_de",
    "spouse_of": """
        married_to wife_of husband_of casado_com casada_com esposa_de esposo_de marido_de conjuge_de is_married_to
    """,
    "partner_of": """
        girlfriend_of boyfriend_of dating engaged_to fiance_of fiancee_of namorada_de namorado_de namora noivo_de
        noiva_de
    """,
    "ex_partner_of": """
        ex_of ex_wife_of ex_husband_of ex_girlfriend_of ex_boyfriend_of divorced_from broke_up_with ex_namorado_de
        ex_namorada_de
    """,
    "child_of": "son_of daughter_of filho_de filha_de is_child_of",
    "parent_of": "mother_of father_of mom_of dad_of mae_de pai_de has_child",
    "sibling_of": "brother_of sister_of irmao_de irma_de",
    "friend_of": "friends_with is_friend_of best_friend_of knows amigo_de amiga_de",
    "relative_of": """
        family_of cousin_of uncle_of aunt_of nephew_of niece_of grandmother_of grandfather_of primo_de prima_de
        tio_de tia_de avo_de sobrinho_de sobrinha_de
    """,
    "colleague_of": "works_with coworker_of co_worker_of colega_de trabalha_com",
    "reports_to": "managed_by works_under subordinate_of chefiado_por has_boss",
    "manages": "boss_of manager_of leads chefe_de gerencia lidera",
    "has_pet": "owner_of_pet pet_owner_of tem_pet has_dog has_cat dono_do_pet",
    "owns": "owner_of has possesses possui dono_de dona_de",
    "works_on": "working_on involved_in trabalha_no_projeto",
    "from": "born_in native_of comes_from natural_de nascido_em nascida_em e_de",
    "teaches": "teacher_of teaches_at professor_de ensina",
    "treats": "doctor_of medico_de medica_de trata",
    "hired": "contratou",
}
_CANONICAL = {alias: name for name, aliases in _ALIASES.items() for alias in aliases.split()}
_PORTUGUESE = {
    "lives_in": "mora em",
    "works_at": "trabalha em",
    "former_employee_of": "trabalhou em",
    "studies_at": "estuda em",
    "member_of": "faz parte de",
    "spouse_of": "é casado(a) com",
    "partner_of": "namora",
    "ex_partner_of": "é ex de",
    "child_of": "é filho(a) de",
    "parent_of": "tem como filho(a)",
    "sibling_of": "é irmão(ã) de",
    "friend_of": "é amigo(a) de",
    "relative_of": "é parente de",
    "colleague_of": "é colega de",
    "reports_to": "responde a",
    "manages": "chefia",
    "has_pet": "tem o bicho",
    "owns": "tem",
    "works_on": "trabalha em",
    "from": "é de",
    "teaches": "ensina",
    "treats": "trata",
    "hired": "contratou",
}
_ENGLISH = {
    "former_employee_of": "formerly worked at",
    "spouse_of": "is married to",
    "partner_of": "is the partner of",
    "ex_partner_of": "is the ex of",
    "child_of": "is a child of",
    "parent_of": "is a parent of",
    "sibling_of": "is a sibling of",
    "friend_of": "is a friend of",
    "relative_of": "is a relative of",
    "colleague_of": "is a colleague of",
    "member_of": "is a member of",
    "has_pet": "has the pet",
    "from": "is from",
}
IDENTITY = frozenset(
    {"same_as", "alias_of", "also_known_as", "is", "identical_to", "nickname_of", "known_as", "mesmo_que"}
)


def relation_type(text: str) -> str:
    """A relation type in snake_case, aliases of English and Portuguese joined under one name.

    >>> relation_type("Married To"), relation_type("trabalha em"), relation_type("mentored-by")
    ('spouse_of', 'works_at', 'mentored_by')
    """
    spelled = re.sub(r"([a-z])([A-Z])", r"\1_\2", text)
    name = normal(spelled.replace("_", " ")).replace(" ", "_") or "related_to"
    return _CANONICAL.get(name, name)


def phrase(rel_type: str, language: str = "en") -> str:
    """The words between source and target: ``lives_in`` -> ``lives in`` / ``mora em``."""
    table = _PORTUGUESE if language == "pt" else _ENGLISH
    return table.get(rel_type, rel_type.replace("_", " "))


def sentence(source: str, rel_type: str, target: str, language: str = "en") -> str:
    """An edge as a statement.

    >>> sentence("Lúcia", "lives_in", "Curitiba"), sentence("Lúcia", "lives_in", "Curitiba", "pt")
    ('Lúcia lives in Curitiba', 'Lúcia mora em Curitiba')
    """
    return f"{source} {phrase(rel_type, language)} {target}"
