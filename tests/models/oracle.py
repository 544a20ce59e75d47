"""The forward pass once more, token by token and head by head in double precision: slow, obvious, and independent."""

import math

import numpy as np

from tests.core.oracle import loop_attention


def oracle(settings, tensors, ids, *, causal):
    """Weights [layer][head][query][key] and last vectors [token][d_model]."""
    model = Oracle(settings, {name: np.asarray(numbers, dtype=float) for name, numbers in tensors.items()})
    X, weights = [model.first(i, place) for place, i in enumerate(ids)], []
    for layer in range(settings.n_layers):
        heads, mixed = model.attention(layer, X, causal)
        weights.append(heads)
        X = [model.after(layer, x, m) for x, m in zip(X, mixed, strict=True)]
    last = X if settings.family == "bert" else [model.norm("norm", x) for x in X]
    return np.array(weights), np.array(last)


class Oracle:
    def __init__(self, settings, tensors):
        self.settings, self.tensors = settings, tensors

    def first(self, i, place):
        x = self.tensors["embedding"][i]
        if self.settings.family == "llama":
            return x
        x = x + self.tensors["positions"][place]
        return x if self.settings.family == "gpt2" else self.norm("embedding_norm", x + self.tensors["token_types"][0])

    def attention(self, layer, X, causal):
        """The weights of each head, and the joined outputs of each token."""
        s = self.settings
        normed = X if s.family == "bert" else [self.norm(f"{layer}.norm_1", x) for x in X]
        Q, K, V = ([self.linear(f"{layer}.{name}", x) for x in normed] for name in "QKV")
        weights, outputs = [], []
        mask = [[key <= query or not causal for key in range(len(X))] for query in range(len(X))]
        for head in range(s.n_heads):
            kv_head = head // (s.n_heads // s.n_kv_heads)
            cut = [slice(h * s.d_head, (h + 1) * s.d_head) for h in (head, kv_head)]
            q = [self.turn(x[cut[0]], place) for place, x in enumerate(Q)]
            k = [self.turn(x[cut[1]], place) for place, x in enumerate(K)]
            w, out = loop_attention(q, k, [x[cut[1]] for x in V], mask)
            weights.append(w)
            outputs.append(out)
        return weights, [np.concatenate([out[token] for out in outputs]) for token in range(len(X))]

    def turn(self, x, place):
        """Each pair of numbers as one complex number, turned by multiplication."""
        if self.settings.family != "llama":
            return x
        half = len(x) // 2
        turned = [complex(x[e], x[e + half]) * complex(math.cos(a), math.sin(a)) for e, a in self.angles(place)]
        return np.array([z.real for z in turned] + [z.imag for z in turned])

    def angles(self, place):
        s = self.settings
        for e in range(s.d_head // 2):
            angle = s.rotary_base ** (-2 * e / s.d_head)
            if s.rotary_scaling is not None:
                angle /= s.rotary_scaling[e]
            yield e, place * angle

    def after(self, layer, x, mixed):
        added = x + self.linear(f"{layer}.O", mixed)
        if self.settings.family == "bert":
            x = self.norm(f"{layer}.norm_1", added)
            hidden = [h * (1 + math.erf(h / math.sqrt(2))) / 2 for h in self.linear(f"{layer}.up", x)]
            return self.norm(f"{layer}.norm_2", x + self.linear(f"{layer}.down", hidden))
        normed = self.norm(f"{layer}.norm_2", added)
        hidden = self.linear(f"{layer}.up", normed)
        if self.settings.family == "llama":
            gates = self.linear(f"{layer}.gate", normed)
            hidden = [h * g / (1 + math.exp(-g)) for h, g in zip(hidden, gates, strict=True)]
        else:
            hidden = [h * (1 + math.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3))) / 2 for h in hidden]
        return added + self.linear(f"{layer}.down", hidden)

    def linear(self, name, x):
        bias = self.tensors.get(f"{name}.bias")
        rows = [sum(w * n for w, n in zip(row, x, strict=True)) for row in self.tensors[name]]
        return np.array(rows) if bias is None else np.array(rows) + bias

    def norm(self, name, x):
        if self.settings.family != "llama":
            x = x - sum(x) / len(x)
        size = math.sqrt(sum(n * n for n in x) / len(x) + self.settings.norm_epsilon)
        return x / size * self.tensors[name] + self.tensors.get(f"{name}.bias", 0)
