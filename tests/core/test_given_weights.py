"""Weights from elsewhere, read down to one table: every shape that models hand out, and what is refused."""

import numpy as np
import pytest

from attention_core.given_weights import one_table

QUERIES, KEYS, HEADS, BATCH, LAYERS = 3, 5, 2, 7, 11


def shares(*shape):
    """Random weights: the last axis sums to 1."""
    given = np.random.default_rng(0).random(shape)
    return given / given.sum(axis=-1, keepdims=True)


class Tensor:
    """A tensor as PyTorch has it: one that learns gives no array, nor does one of bfloat16."""

    def __init__(self, array, *, learns=False, dtype="float32"):
        self.array, self.learns, self.dtype, self.shape = array, learns, dtype, array.shape

    def __array__(self, dtype=None, copy=None):
        if self.learns:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        if self.dtype == "bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.array

    def detach(self):
        return Tensor(self.array, dtype=self.dtype)

    def float(self):
        return Tensor(self.array)


class Eager:
    """A tensor as TensorFlow has it: nothing but the array protocol."""

    def __init__(self, array):
        self.array, self.shape = array, array.shape

    def __array__(self, dtype=None, copy=None):
        return self.array


class Bare:
    """A tensor with nothing but the array protocol, without even a shape."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array


class Broken:
    """An array that cannot be had."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("the device is gone")


def test_two_axes_are_query_and_key():
    table = shares(QUERIES, KEYS)
    np.testing.assert_array_equal(one_table(table), table)
    np.testing.assert_array_equal(one_table(table.tolist(), layer=0, head=0, batch=0), table)
    np.testing.assert_array_equal(one_table([*table]), table)


def test_three_axes_are_head_query_and_key():
    heads = shares(HEADS, QUERIES, KEYS)
    np.testing.assert_array_equal(one_table(heads, head=1), heads[1])
    np.testing.assert_array_equal(one_table(heads[:1]), heads[0])


def test_named_axes_may_come_in_any_order():
    whole = shares(LAYERS, BATCH, HEADS, QUERIES, KEYS)
    np.testing.assert_array_equal(
        one_table(whole, layer=10, batch=6, head=1, axes="layer batch head query key"), whole[10, 6, 1]
    )
    turned = whole[0].transpose(3, 0, 2, 1)
    np.testing.assert_array_equal(one_table(turned, batch=6, head=1, axes="key, batch, query, head"), whole[0, 6, 1])


@pytest.mark.parametrize("form", [tuple, list])
@pytest.mark.parametrize("tensor", [np.asarray, Tensor, Eager, Bare, lambda array: Tensor(array, learns=True)])
def test_layers_are_read_as_transformers_gives_them(form, tensor):
    layers = shares(LAYERS, 1, HEADS, QUERIES, KEYS)
    given = form(tensor(layer) for layer in layers)
    np.testing.assert_array_equal(one_table(given, layer=10, head=1), layers[10, 0, 1])


def test_of_several_sentences_one_must_be_chosen():
    layers = [*shares(LAYERS, BATCH, HEADS, QUERIES, KEYS)]
    np.testing.assert_array_equal(one_table(layers, layer=1, head=1, batch=6), layers[1][6, 1])
    with pytest.raises(ValueError, match="weights has 7 places on the axis batch: choose one, batch=0 to batch=6"):
        one_table(layers, layer=1, head=1)


def test_a_type_that_numpy_does_not_know_is_read_by_its_floats():
    table = shares(QUERIES, KEYS).astype(np.float32)
    np.testing.assert_array_equal(one_table(Tensor(table, dtype="bfloat16", learns=True)), table)


def test_half_precision_is_widened():
    assert one_table(np.eye(3, dtype=np.float16)).dtype == np.float64


class Strange:
    """A tensor of a type that nobody can read."""

    dtype, shape = "bfloat16", (2, 2)

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Got unsupported ScalarType BFloat16")


@pytest.mark.parametrize(
    ("weights", "options", "words"),
    [
        (np.zeros(5), {}, r"must have 2 axes \[query, key\] or 3 axes \[head, query, key\], but its shape is \(5,\)$"),
        (
            np.zeros((1, 12, 7, 7)),
            {},
            r'shape is \(1, 12, 7, 7\), which has 4: say which they are: axes="batch head query key" or axes="la',
        ),
        (np.zeros((1, 1, 12, 7, 7)), {}, r'which has 5: name them, as in axes="layer batch head query key"'),
        (np.zeros((2, 7, 7)), {"axes": "query key"}, r"axes names 2 axes \[query, key\], but .* is \(2, 7, 7\)"),
        (np.zeros((7, 7)), {"axes": "row column"}, "axes must name query and key, and any of layer, batch, head"),
        (np.zeros((7, 7)), {"axes": "query query"}, "axes must name query and key"),
        ([np.zeros((1, 2, 7, 7))], {"axes": "layer head query key"}, "axes must name the axes of one layer"),
        (np.zeros((12, 7, 7)), {}, "weights has 12 places on the axis head: choose one, head=0 to head=11"),
        (np.zeros((12, 7, 7)), {"head": 12}, "head must be a place that weights has, head=0 to head=11, but it is 12"),
        (np.zeros((12, 7, 7)), {"head": -1}, "but it is -1"),
        (np.zeros((7, 7)), {"head": 3}, "head must be a place that weights has, head=0, but it is 3"),
        (np.zeros((0, 7, 7)), {}, "weights must have at least one head, but it has none"),
        ((np.eye(2), None, np.eye(2)), {"layer": 1}, r"layer 1 has no weights \(None\); layers with weights are 0, 2"),
        ((None, None), {"layer": 0}, r"no layer has any: ask the model for them, in transformers with attn_impl"),
        (((np.eye(2),), (np.eye(2),)), {"layer": 0}, r"a model that writes gives one list of layers for each word"),
        ([[1.0, 0.0], [1.0]], {}, "weights must be one array: setting an array element"),
        ([["a"]], {}, "weights must hold numbers, but its entries are of the type <U1"),
        (Broken(), {}, "weights must give its numbers as an array, but Broken fails: the device is gone"),
        ((np.eye(2)[None, None], Broken()), {"layer": 1}, "layer 1 must give .* but Broken fails: the device is gone"),
        ([], {}, r"weights must hold at least one query and one key, but its shape is \(0,\)"),
        ((), {}, r"weights must hold at least one query and one key, but its shape is \(0,\)"),
        (np.zeros((0, 0)), {}, "weights must have at least one query, but it has none"),
        (np.zeros((2, 0)), {}, "weights must have at least one key, but it has none"),
        (np.eye(2), {"axes": 5}, 'axes must be a text such as "head query key", but it is 5'),
        (np.eye(2), {"axes": ["query", "key"]}, "axes must be a text such as"),
        *(
            (np.eye(2)[None], {name: given}, f"{name} must be a whole number, but it is {given!r}")
            for name in ("layer", "head", "batch")
            for given in (True, "0", 1.0)
        ),
        (Strange(), {}, "must hold numbers that NumPy knows, but Strange of bfloat16 gives no array"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_axes_found(weights, options, words):
    with pytest.raises(ValueError, match=words):
        one_table(weights, **options)


@pytest.mark.parametrize(
    ("number", "words"),
    [(np.nan, "be finite"), (np.inf, "be finite"), (1.5, "lie from 0 to 1"), (-0.1, "lie from 0 to 1")],
)
def test_what_is_no_weight_is_refused_with_its_place(number, words):
    layers = [*shares(3, 1, HEADS, QUERIES, KEYS)]
    layers[2][0, 1, 2, 4] = number
    place = f"layer 2, head 1, query 2, key 4 it is {number}"
    with pytest.raises(ValueError, match=f"weights must {words}.*, but at {place}"):
        one_table(layers, layer=2, head=1)
    assert one_table(layers, layer=2, head=0).shape == (QUERIES, KEYS)


def test_rows_that_do_not_sum_to_one_are_no_error():
    assert one_table([[0.5, 0.2]]).tolist() == [[0.5, 0.2]]
