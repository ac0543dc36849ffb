"""The content of the applications: texts of our own, the same at every run."""
import datetime
import random

NOUNS = (
    "acorn alder apron barley basin birch bramble brook bucket candle canvas cedar chalk clover cobble crane cupboard "
    "dairy drawer ember fern fiddle flagstone forge gosling granary hazel heather hinge hollow kiln ladder larch linen "
    "loom mallet maple marsh mortar nettle oar oat osier paddock parsnip peat pebble pulley quince rake reed rope rye "
    "scythe sledge sorrel sparrow stile tallow tannery thatch thistle trough turnip vine wagon weir wicket wool yarrow"
).split()
VERBS = "keeps carries mends follows borders covers warms measures divides replaces joins outlasts shelters".split()
PLACES = "valley upland coast village forest island market station".split()

UPDATE = (
    "Since this spring the account above is out of date: the bridge was closed, the path now leads around the pond, "
    "and whoever wants to visit asks for the key at the house with the green shutters."
)


class Article:
    """A piece of text, to be a page, a post, a row or a file."""

    def __init__(self, number, rnd):
        first, second = rnd.sample(NOUNS, 2)
        self.number = number
        self.title = f"{first.capitalize()} and {second} in the {rnd.choice(PLACES)}"
        self.slug = f"{first}-{second}-{number}"
        self.paragraphs = [" ".join(sentence(rnd) for _ in range(rnd.randint(3, 5))) for _ in range(3)]
        self.replies = [f"{sentence(rnd)} {sentence(rnd)}" for _ in range(number % 4)]
        self.place = rnd.choice(PLACES)
        self.day = datetime.datetime(2025, 3, 1, 9, tzinfo=datetime.timezone.utc) + datetime.timedelta(days=5 * number)

    @property
    def text(self):
        return "\n\n".join(self.paragraphs)


def sentence(rnd):
    a, b, c = rnd.sample(NOUNS, 3)
    return f"The {a} {rnd.choice(VERBS)} the {b}, and the {c} {rnd.choice(VERBS)} the {rnd.choice(PLACES)}."


def articles(count, seed):
    rnd = random.Random(seed)
    return [Article(number, rnd) for number in range(1, count + 1)]
