# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ai.onnx.ml, as scikit-learn's exporter writes it: scalers, encoders, linear models, trees.
import numpy as np
from net import NotPossible, T

DOMAIN = "ai.onnx.ml"
TRANSFORMS = ["NONE", "NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"]  # of PROBIT onnxruntime has an approximation


def rows(net):
    """[rows, features] of floats."""
    return net.pick([T.FLOAT], 2, lambda v: v.size > 0 and not net.symbolic)


def numbers(net, count, low=-2.0, high=2.0):
    draw = np.random.default_rng(net.rng.getrandbits(32))
    return [float(n) for n in draw.uniform(low, high, count).astype(np.float32)]


def preprocessing(net):
    value = rows(net)
    count, same = value.shape[1], [(T.FLOAT, value.shape)]
    op = net.choose(["Scaler", "Normalizer", "Binarizer", "Imputer"])
    if op == "Scaler":
        each = net.choose([1, count])
        how = {"offset": numbers(net, each), "scale": numbers(net, each)}
    elif op == "Normalizer":
        how = {"norm": net.choose(["L1", "L2"])}  # of MAX onnxruntime takes the greatest, the standard the greatest absolute value
    elif op == "Binarizer":
        how = {"threshold": net.choose([0.0, 0.5])}
    else:
        how = {"imputed_value_floats": numbers(net, net.choose([1, count])), "replaced_value_float": net.choose([float("nan"), 0.5])}
    net.add(op, [value], domain=DOMAIN, shapes=same, **how)


def regressor(net):
    value = rows(net)
    targets = net.integer(1, 3)
    how = {"coefficients": numbers(net, targets * value.shape[1]), "targets": targets}
    if net.chance(0.6):
        how["intercepts"] = numbers(net, targets)
    net.add("LinearRegressor", [value], domain=DOMAIN, shapes=[(T.FLOAT, (value.shape[0], targets))], **how)


def labels(net, count):
    return {"classlabels_ints": net.rng.sample(range(-5, 20), count)}


def linear_classifier(net):
    value = rows(net)
    count = net.integer(2, 4)
    how = {**labels(net, count), "coefficients": numbers(net, count * value.shape[1]), "intercepts": numbers(net, count)}
    shapes = [(T.INT64, value.shape[:1]), (T.FLOAT, (value.shape[0], count))]
    net.add("LinearClassifier", [value], 2, domain=DOMAIN, shapes=shapes, post_transform=net.choose(TRANSFORMS), **how)


MODES = "BRANCH_LEQ BRANCH_LT BRANCH_GTE BRANCH_GT BRANCH_EQ BRANCH_NEQ".split()


def grown(net, tree, features, depth):
    """The attributes nodes_* of a tree, and the numbers of its leaves."""
    nodes, leaves = [], []
    mode = net.choose(MODES[:4]) if net.chance(0.8) else None  # all one, or each its own

    def grow(level):
        number = len(nodes)
        nodes.append(None)
        if level == 0 or (level < depth and net.chance(0.2)):
            nodes[number] = ("LEAF", 0, 0.0, 0, 0, 0)
            leaves.append(number)
        else:
            threshold = float(np.float32(net.choose([-0.5, 0.0, 0.25, 1.0])))
            left, right = grow(level - 1), grow(level - 1)
            nodes[number] = (mode or net.choose(MODES), net.integer(0, features - 1), threshold, left, right, int(net.chance(0.3)))
        return number

    grow(depth)
    modes, ids, values, lefts, rights, missing = zip(*nodes)
    return {"nodes_treeids": [tree] * len(nodes), "nodes_nodeids": list(range(len(nodes))), "nodes_modes": list(modes), "nodes_featureids": list(ids),
            "nodes_values": list(values), "nodes_truenodeids": list(lefts), "nodes_falsenodeids": list(rights),
            "nodes_missing_value_tracks_true": list(missing)}, leaves  # fmt: skip


def trees(net):
    """TreeEnsembleRegressor or TreeEnsembleClassifier."""
    value = rows(net)
    classifies = net.chance(0.5)
    outputs = net.integer(2, 4) if classifies else net.integer(1, 3)
    prefix = "class" if classifies else "target"
    how = {}
    for tree in range(net.integer(1, 5)):
        nodes, leaves = grown(net, tree, value.shape[1], net.integer(0, 4))
        weights = [(leaf, output) for leaf in leaves for output in range(outputs) if outputs < 3 or net.chance(0.7)] or [(leaves[0], 0)]
        nodes.update({f"{prefix}_treeids": [tree] * len(weights), f"{prefix}_nodeids": [leaf for leaf, _ in weights],
                      f"{prefix}_ids": [output for _, output in weights], f"{prefix}_weights": numbers(net, len(weights))})  # fmt: skip
        for key, items in nodes.items():
            how.setdefault(key, []).extend(items)
    if net.chance(0.4):
        how["base_values"] = numbers(net, outputs)
    if not classifies:
        how.update(n_targets=outputs, aggregate_function=net.choose(["SUM", "SUM", "AVERAGE", "MIN", "MAX"]))
        net.add("TreeEnsembleRegressor", [value], domain=DOMAIN, shapes=[(T.FLOAT, (value.shape[0], outputs))], **how)
        return
    shapes = [(T.INT64, value.shape[:1]), (T.FLOAT, (value.shape[0], outputs))]
    net.add("TreeEnsembleClassifier", [value], 2, domain=DOMAIN, shapes=shapes, post_transform=net.choose(TRANSFORMS), **labels(net, outputs), **how)


def encoder(net):
    value = net.pick([T.INT64], range(1, 4), lambda v: v.size > 0)
    keys = net.rng.sample(range(-4, 12), net.integer(1, 6))
    if net.chance(0.5):
        how, kind = {"values_floats": numbers(net, len(keys)), "default_float": -1.0}, T.FLOAT
    else:
        how, kind = {"values_int64s": net.rng.sample(range(100), len(keys)), "default_int64": 7}, T.INT64
    net.add("LabelEncoder", [value], domain=DOMAIN, shapes=[(kind, value.shape)], keys_int64s=keys, **how)


def extractor(net):
    value = rows(net)
    picked = [net.integer(0, value.shape[1] - 1) for _ in range(net.integer(1, 4))]
    net.add("ArrayFeatureExtractor", [value, net.numbers(*picked)], domain=DOMAIN, shapes=[(T.FLOAT, (value.shape[0], len(picked)))])


def vectorizer(net):
    first = rows(net)
    parts = [first] + [net.operand(T.FLOAT, (first.shape[0], net.integer(1, 4))) for _ in range(net.integer(0, 2))]
    widths = [part.shape[1] for part in parts]
    if any(part.rank != 2 for part in parts):
        raise NotPossible
    net.add("FeatureVectorizer", parts, domain=DOMAIN, shapes=[(T.FLOAT, (first.shape[0], sum(widths)))], inputdimensions=widths)


MAKERS = [(preprocessing, 3), (regressor, 1), (linear_classifier, 2), (trees, 4), (encoder, 2), (extractor, 1), (vectorizer, 1)]
