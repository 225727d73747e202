# ruff: noqa: E501 - a table of messages, one a line
"""Everything that can be wrong with a script. Each code has a page of its own in docs/errors/."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A kind of diagnostic."""

    code: str
    title: str
    severity: Literal["error", "warning"]
    template: str
    """The message; `{fields}` are filled in where it is reported."""
    cure: str = ""
    """What to do about it, where no better advice is at hand."""


def _error(code: str, title: str, template: str, cure: str = "") -> Descriptor:
    return Descriptor(code, title, "error", template, cure)


def _warning(code: str, title: str, template: str, cure: str = "") -> Descriptor:
    return Descriptor(code, title, "warning", template, cure)


QUOTE = "Put the whole text in double quotes."

_ALL = (
    # Reading the file.
    _error("NS001", "Not readable as YAML", "This is not readable as YAML: {problem}.",
           "Check the indentation of this line and of the one above."),
    _error("NS002", "Tab in the indentation", "This line is indented with a tab.",
           "Indent with spaces."),
    _error("NS003", "Text that needs quotes", "This text means something else to YAML: {problem}.",
           QUOTE),
    _error("NS004", "Key given twice", "`{key}` is given twice; the first is in line {first}.",
           "Remove one, or rename it."),
    _error("NS005", "Anchors and aliases", "Anchors (&), aliases (*) and merge keys (<<) are not used in scripts.",
           "Write the lines out, or make them a part. If this is text, put it in double quotes."),
    _error("NS006", "Tags", "Tags (words that begin with !) are not used in scripts.",
           "Remove it. If this is text, put it in double quotes."),
    _warning("NS007", "Text lost after #", "Everything after ` #` is a comment: `{lost}` will not be said.",
             "Put the whole text in double quotes, or leave a space after # if it is a comment."),
    _error("NS008", "Too large", "This script is {what}; that is more than any game needs.",
           "Make it smaller."),
    _error("NS009", "Not plain text", "This file is not UTF-8 text: {what}.",
           "Save it as UTF-8 in a text editor."),
    _error("NS010", "Not a script", "{what}.", "A script begins with `narrator: 1` and has title, players and phases."),
    # Its shape.
    _error("NS020", "Unknown key", "`{key}` means nothing here."),
    _error("NS021", "Something is missing", "`{key}` is missing here.", "Add it."),
    _error("NS022", "Wrong kind of thing", "Expected {wanted}, found {found}."),
    _error("NS023", "Unknown step", "This is not a step: {what}.", ""),
    _error("NS024", "Two steps in one", "`{key}` does not belong to `{verb}`: it is a step of its own.",
           "Begin a new line with `- {key}:`."),
    _error("NS025", "Format too new", "This script is written for format {found}, and this Narrator knows format 1.",
           "Update Narrator, or write `narrator: 1`."),
    _error("NS026", "Not one of the possible words", "`{word}` is not possible for `{key}`."),
    _error("NS027", "Number out of sense", "{what}.", ""),
    _error("NS028", "Yes or no wanted", "`{word}` is neither yes nor no.", "Write yes or no."),
    _error("NS029", "Not a duration", "`{word}` is not a length of time.",
           "Write 90, 90s, 1:30, 2m30s, 10m, 1h or \"{{ n * 60 }}s\"."),
    _error("NS030", "Name that cannot be used", "`{name}` cannot be a name: {why}.", ""),
    _error("NS031", "Name given twice", "The name `{name}` is taken already, by {by}.", "Choose another name."),
    # Its expressions.
    _error("NS040", "Expression not understood", "This expression is not understood: {problem}.",
           "Check brackets, quotes and the pairs of {{ }}."),
    _error("NS041", "Unknown name", "Nothing is called `{name}` here."),
    _error("NS042", "Unknown function", "There is no {what} called `{name}`."),
    _error("NS043", "Not allowed in expressions", "{what} is not allowed in expressions.",
           "Expressions only work out values."),
    _warning("NS044", "Perhaps without a value", "`{name}` is set only on some ways to this place.",
             "Set it before the branch, with `set:`."),
    _error("NS045", "Braces missing", "`{text}` is read as a text here, not as an expression.",
           "Write \"{{{{ {text} }}}}\"."),
    # How it hangs together.
    _error("NS050", "Unknown part", "There is no part called `{name}`.", "Parts stand under `parts:`, each a list of steps."),
    _error("NS051", "Part within itself", "The part `{name}` contains itself: {way}.", "Use `repeat:` for what goes round."),
    _error("NS052", "Unknown scoring", "There is no scoring called `{name}`.", "Scorings stand under `scoring:`."),
    _error("NS053", "Nowhere to begin again", "There is no enclosing step or phase called `{name}`.", "Name a loop around this step, or the phase."),
    _error("NS054", "Scoring without its input", "The scoring `{scoring}` needs `{name}`, which has no value here.",
           "Ask for it before."),
    # How it would play.
    _error("NS060", "Never reached", "This step is never reached: `{before}` comes before it.", "Remove it, or move it up."),
    _error("NS061", "No way out", "Nobody can ever get past this step: {why}.", ""),
    _error("NS062", "Answers that cannot be told apart", "`{phrase}` means two things here: {one} and {two}.",
           "Use different words for one of them."),
    _error("NS063", "Phrase not understood", "This phrase pattern is not understood: {problem}.",
           "Optional words stand in [ ], a choice in (one|two)."),
    _error("NS064", "Secret told", "`{name}` is a secret, and this could give it away.",
           "Use it only after the step that asks for it, with eyes open."),
    _error("NS065", "Wait that tells a secret", "How long this takes depends on `{name}`, which is a secret.",
           "Let every table wait the same, whatever was dealt."),
    _warning("NS066", "Word that cannot be heard", "The recogniser does not know the word `{word}`.",
             "Use another word, or add one that means the same."),
    _error("NS067", "Default out of range", "The default {default} of `{name}` is not between {low} and {high}.", "Move one of them."),
    _warning("NS068", "Answers that sound alike", "`{one}` and `{two}` sound alike.", "Use words that differ more."),
    _warning("NS070", "Not translated", "There is no {file}: everything would be said in the game's own language.",
             "Write one with `narrator translate`."),
    _warning("NS071", "Translation missing", "`{name}` has no words in {file}: the game's own are used.", "Add them."),
    _warning("NS072", "Translation of nothing", "Nothing in the game is called `{name}`.", "Remove it, or correct the id."),
    _warning("NS073", "Translated from other words", "The game now says at `{name}`: {own}.",
             "Look whether the translation still fits, then correct the comment above it."),
    _warning("NS074", "Language that is not there", "Narrator itself does not speak `{language}` so far: the game is not played in it.",
             "Play it in another language, or write narrator/locales/{language}.yaml after the pattern of en.yaml."),
    _warning("NS069", "Never used", "The {kind} `{name}` is never used.", "Remove it, or use it."),
)  # fmt: skip

DESCRIPTORS: Mapping[str, Descriptor] = {d.code: d for d in _ALL}
