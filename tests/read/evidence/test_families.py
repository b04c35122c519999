"""Each family of columns does in English and in Portuguese what it says."""

from __future__ import annotations

import pytest

from arandu_lab.embed.scripted import DeadEmbedder, ScriptedEmbedder


async def test_words_meet_in_other_forms(talk, columns):
    """lexical: "paint" finds "painted", "pintar" finds "pintei"; covered words and pairs count, far turns get nothing."""
    english = await columns(talk("Ana: I painted the old lake", "Bia: Fine weather"), "Who paints old lakes?")
    portuguese = await columns(
        talk("Ana: Eu pintei as casas velhas com a minha mãe", "Bia: Tempo bom"), "Quem está pintando casas velhas?"
    )
    for found in (english, portuguese):
        for name in ("bm", "bi", "cov", "rare", "nmatch"):
            assert found[name]["e000"] > 0.0, name
            assert found[name]["e001"] == 0.0, name
        assert found["bm1"]["e001"] > 0.0
        assert found["bms"]["e000"] == found["bms"]["e001"] > 0.0


async def test_names_are_not_stemmed(talk, columns):
    """lexical, R4: a name matches by its word: "Rose" is not in a talk about roses, and is where she is written small."""
    found = await columns(talk("Ana: The roses bloom", "Ana: i met rose", "Bia: ok"), "What about Rose?")
    assert found["bm"]["e000"] == 0.0
    assert found["bm"]["e001"] > 0.0
    found = await columns(talk("Ana: As flores e a minha avó", "Ana: eu vi a flora com ela"), "E a Flora, como foi?")
    assert found["nmatch"] == {"e000": 0.0, "e001": 1.0}


async def test_a_window_does_not_cross_a_session(talk, columns):
    """lexical, neighbours: what was said in another session is no neighbour."""
    found = await columns(talk("Ana: I saw a lake", "--", "Bia: Nice"), "lake?")
    assert found["bm1"]["e001"] == found["bm@-1"]["e001"] == found["s_bm"]["e001"] == 0.0


@pytest.mark.parametrize(
    ("speaker", "question", "said"),
    [("Ana Lima", "What does Ana's sister sell?", "my sister sell"), ("Ana Lima", "O que a Ana vende?", "eu vende")],
)
async def test_the_question_is_asked_as_the_speaker_would_say_it(talk, tap, speaker, question, said):
    """dense: the speaker's name becomes I or eu; question words are left out; both forms go in one batch."""
    w = talk(f"{speaker}: {'Eu vendo pão com a minha mãe' if 'eu' in said else 'I sell bread with my mother'}")
    w.embed = ScriptedEmbedder()
    await w.ask(question, pipeline=tap)
    assert said in w.embed.asked


async def test_a_window_is_the_mean_of_its_turns(talk, columns):
    """dense: a window's cosine is the mean of the turns' own, within the session."""
    found = await columns(talk("Ana: red lake", "Ana: blue lake", "Ana: green", "--", "Ana: lake"), "lake?")
    own = found["d_text"]
    assert found["d_w1"]["e001"] == pytest.approx((own["e000"] + own["e001"] + own["e002"]) / 3.0, abs=1e-5)
    assert found["d_pair"]["e000"] == own["e000"]
    assert found["d_w3"]["e003"] == own["e003"]


async def test_without_an_embedder_words_remain(talk, columns):
    """dense, softmatch: an embedder that fails leaves those columns unknown, not zero, and all others as they are."""
    w = talk("Ana: I saw a lake", "Bia: Nice")
    plain = await columns(w, "lake?")
    w.embed = DeadEmbedder(after=1)
    dead = await columns(w, "lake?")
    for name in ("d_text", "d_first", "ms", "mss1"):
        assert all(value != value for value in dead[name].values()), name
    assert dead["bm"] == plain["bm"]


async def test_near_words(talk, columns):
    """softmatch: a word that is only like one of the question counts in the turn and, less, in its neighbour's window."""
    w = talk("Ana: kayaking", "Bia: fine", "--", "Bia: sure")
    w.embed = ScriptedEmbedder({("kayaking", "canoeing"): 0.8})
    found = await columns(w, "canoeing")
    assert found["ms"]["e000"] == pytest.approx(0.8, abs=1e-4)
    assert found["ms1"]["e001"] == found["ms1"]["e000"]
    assert found["ms1"]["e002"] < 0.6
    assert found["mss"]["e000"] == pytest.approx((0.4 / 0.6) ** 2, abs=1e-3)


async def test_words_are_embedded_once(talk, tap):
    """softmatch: a second question embeds no word of the memory again."""
    w = talk("Ana: red lake house")
    view = await w.view()

    async def same(shuffle=None):
        return view

    w.view, w.embed = same, ScriptedEmbedder()
    await w.ask("lake", pipeline=tap)
    first = len(w.embed.asked)
    await w.ask("house", pipeline=tap)
    assert {"red", "lake", "house"} <= set(w.embed.asked[:first])
    assert not {"red", "lake"} & set(w.embed.asked[first:])


async def test_feedback_finds_what_the_first_hit_says(talk, columns):
    """feedback: a turn that shares no word with the question, but many with the turn that does, is found."""
    lines = ["Ana: the marathon in Lisbon had bridges, trams and rain", "Bia: bridges, trams and rain!", "--"]
    found = await columns(talk(*lines, *(f"Ana: word{place} thing{place}" for place in range(12))), "marathon?")
    assert found["mix"]["e000"] == max(found["mix"].values())
    assert found["prf"]["e001"] > max(found["prf"][f"e{place:03d}"] for place in range(2, 14))


async def test_an_answer_is_credited_with_its_question(talk, columns):
    """neighbours: who answers a question of another gets its words; who goes on talking, or answers nothing, does not."""
    for lines, question in (
        (("Ana: Where is the lake?", "Bia: In Norway", "Bia: far"), "lake"),
        (("Ana: Onde fica o lago?", "Bia: Na Noruega", "Bia: longe"), "lago"),
    ):
        found = await columns(talk(*lines), question)
        assert found["reply"]["e001"] == found["bm"]["e000"] > 0.0
        assert found["reply"]["e002"] == found["reply"]["e000"] == 0.0
    found = await columns(talk("Ana: Where is the lake?", "Ana: Far!"), "lake")
    assert found["reply"]["e001"] == 0.0


async def test_facts_vote_for_their_turns(talk, columns):
    """votes: a turn has the best scores of the facts told in it; one that told none has zero."""
    for text, question in (("Ana owns a lake house", "lake house"), ("Ana tem uma casa no lago", "casa no lago")):
        w = talk("Ana: It is mine, you know", "Bia: ok")
        w.fact(text, "person:ana", source_event_id="e000")
        w.fact("Ana hums", "person:ana", source_event_id="e000")
        found = await columns(w, question)
        assert found["v_key"]["e000"] == 1.0
        assert found["v_sem"]["e000"] > 0.3
        assert found["v_formula"]["e000"] > 0.0
        assert found["v_sem"]["e001"] == found["v_key"]["e001"] == 0.0


async def test_who_is_named(talk, columns):
    """speakers: one name sets its turns against the others'; two names set both against the rest; none says nothing."""
    w = talk("Ana Lima: one", "Bia: two", "Caio: three")
    for question in ("What did Ana say?", "O que a Ana disse?"):
        found = await columns(w, question)
        assert found["spk_one"] == {"e000": 1.0, "e001": 0.0, "e002": 0.0}
        assert found["spk_other"] == {"e000": 0.0, "e001": 1.0, "e002": 1.0}
    found = await columns(w, "Did Ana and Bia meet?")
    assert found["spk_any"] == {"e000": 1.0, "e001": 1.0, "e002": 0.0}
    assert not any(found["spk_one"].values())
    found = await columns(w, "Did anybody banana?")
    assert not any(any(found[name].values()) for name in ("spk_one", "spk_other", "spk_any"))


async def test_when_it_was_said(talk, columns):
    """dates: month, day and year of the question against the day of the turn, in both languages (turns of 18 February
    and of 27 March 2026)."""
    w = talk("Ana: one", days=40.0)
    w.turn("two", days=3.0, speaker="Ana", session_id="s9")
    for question in ("What happened in February 2026?", "O que houve em fevereiro de 2026?"):
        found = await columns(w, question)
        assert found["month"] == {"e000": 1.0, "e001": 0.0}
        assert found["month_no"] == {"e000": 0.0, "e001": 1.0}
        assert found["month_next"] == {"e000": 0.0, "e001": 1.0}
        assert found["year"] == {"e000": 1.0, "e001": 1.0}
    assert (await columns(w, "And on 27 March?"))["day"] == {"e000": 0.0, "e001": 1.0}
    assert (await columns(w, "E em 18 de fevereiro?"))["day"] == {"e000": 1.0, "e001": 0.0}
    assert not any((await columns(w, "What may happen?"))["month"].values())


async def test_the_day_is_that_of_the_zone(talk, columns):
    """dates: a turn said at eleven at night in Recife is of that day, though it is the next in UTC."""
    w = talk("Ana: one")
    w.turn("two", days=29.49, speaker="Ana", session_id="s9")
    assert (await columns(w, "in March?"))["month"]["e001"] == 1.0
    assert (await columns(w, "in February?", timezone="America/Recife"))["month"]["e001"] == 1.0


async def test_the_kind_of_answer(talk, columns):
    """cues: who asks when, where, how many or why is shown the turns that hold such words, in both languages."""
    english = talk("Ana: yesterday", "Ana: we live in Oslo", "Ana: I have three", "Ana: because I wanted to", "Ana: hm")
    portuguese = talk("Ana: foi ontem", "Ana: eu moro em Olinda", "Ana: tenho três", "Ana: porque eu quis", "Ana: hum")
    asked = {
        "when_time": ("When was it?", "Quando foi?", "e000"),
        "where_place": ("Where is it?", "Onde fica?", "e001"),
        "many_num": ("How many?", "Quantos são?", "e002"),
        "why_why": ("Why so?", "Por que isso?", "e003"),
    }
    for name, (in_english, in_portuguese, turn) in asked.items():
        for w, question in ((english, in_english), (portuguese, in_portuguese)):
            found = (await columns(w, question))[name]
            assert found[turn] > 0.0, (name, question)
            assert found["e004"] == 0.0, (name, question)
    assert not any((await columns(english, "Is it?"))["when_time"].values())
