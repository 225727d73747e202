"""What people say to each other at a table: sentences of ordinary words, drawn with a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator

_PARTS = {
    "who":
    "i,you,we,they,somebody,my sister,the man over there,your friend,"
    "our neighbour,the old lady,everyone here,one of you,the waiter,"
    "the children,her brother,that player",
    "did":
    "saw,took,forgot,wanted,found,lost,moved,bought,heard about,looked at,"
    "asked for,thought about,put away,complained about,played with,"
    "talked about,finished,completed",
    "what":
    "the cards,a token,the coffee,two beers,the last mission,that task,"
    "a new car,the kitchen table,the dog,a long letter,some bread,the weather,"
    "the number,the whole story,my turn,the old board,the rules,a ticket,"
    "the blue chair,our holiday,the task list,a complete mess",
    "when":
    "yesterday,this morning,last week,a minute ago,before dinner,on sunday,"
    "at the station,in the garden,after work,all night,at half past seven,"
    "for the third time,in the end,as usual",
    "said":
    "i do not believe that,that is not what i meant,you always say so,"
    "it was not me,what do you think,pass me the crisps please,"
    "is there any tea left,who wants another drink,let me think about it,"
    "that makes no sense at all,you are far too quiet,how many are left,"
    "i have no idea,nobody told me,that was a good one,it is getting late,"
    "mind your glass,whose is this,we should go home soon,"
    "the mission was never complete,it is a difficult task,"
    "can you open the window",
    "and":
    "and,but,because,so,although,while,and then",
}  # fmt: skip
PATTERNS = (
    "{who} {did} {what} {when}",
    "{said}",
    "{who} {did} {what} {and} {who} {did} {what}",
    "{said} {and} {who} {did} {what}",
    "did {who} really say that {who} {did} {what}",
    "{when} {who} {did} {what}",
)
"""None of them holds the two words that end a turn."""


def sentences(seed: int) -> Iterator[str]:
    """Yield sentences endlessly, the same ones for the same seed."""
    chance = random.Random(seed)
    words = {name: listed.split(",") for name, listed in _PARTS.items()}
    while True:
        sentence = chance.choice(PATTERNS)
        while "{" in sentence:
            slot = sentence[sentence.index("{") + 1 : sentence.index("}")]
            sentence = sentence.replace("{" + slot + "}", chance.choice(words[slot]), 1)
        yield sentence
