# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# scikit-learn's estimators, and those of gradient boosting libraries, as skl2onnx and onnxmltools write them: each is trained on data of
# scikit-learn's own, compiled once for batches of 1 to 64, and compared with onnxruntime for several of these. What takes dictionaries takes one at a
# time, of any length up to a bound.
# Without skl2onnx it is skipped (scripts/requirements-estimators.txt); lightgbm, xgboost and catboost are taken where they are there.
#   scikit_learn.py --sinter build/bin/sinter [--work folder] [--list] [name...]
import argparse
import pathlib
import subprocess
import sys
import warnings

try:
    import numpy as np
    import onnx
    import onnxruntime
    import skl2onnx
    from onnx import numpy_helper
    from skl2onnx.common import data_types
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from sklearn import (calibration, cluster, compose, cross_decomposition, datasets, decomposition, discriminant_analysis, ensemble, feature_extraction,
                     feature_selection, gaussian_process, impute, linear_model, mixture, multiclass, naive_bayes, neighbors,
                     neural_network, pipeline, preprocessing, random_projection, svm, tree)

BATCHES = [1, 2, 7, 64]
COUNTS = [1, 2, 5, 9]  # of a dictionary's keys


def iris():
    return datasets.load_iris(return_X_y=True)


def two_classes():
    x, y = datasets.load_breast_cancer(return_X_y=True)
    return preprocessing.scale(x[:, :10]), y


def named_classes():
    x, y = datasets.load_iris(return_X_y=True)
    return x, np.array(["setosa", "versicolor", "virginica"])[y]


def numbers():
    x, y = datasets.load_diabetes(return_X_y=True)
    return x * 20, y / 100


def several_targets():
    x, y = datasets.load_linnerud(return_X_y=True)
    return preprocessing.scale(np.tile(x, (5, 1))) + np.random.default_rng(0).normal(size=(100, 3)) / 10, np.tile(y, (5, 1))


def counts():
    x, y = datasets.load_digits(n_class=5, return_X_y=True)
    return x[:300, 10:40], y[:300]


def with_gaps():
    """Measured to a tenth, flowers are as far from one as from another, and rounding says which neighbour is the nearest: noise tells them apart."""
    x, y = iris()
    draw = np.random.default_rng(0)
    x = x + draw.normal(size=x.shape) / 20
    x[draw.random(x.shape) < 0.2] = np.nan
    return x, y


def words():
    draw = np.random.default_rng(0)
    return draw.choice(["red", "green", "blue", "black", "white"], size=(200, 2)), draw.integers(0, 2, 200)


def labels():
    return np.random.default_rng(0).choice(["red", "green", "blue", "black"], size=200), None


def integers():
    draw = np.random.default_rng(0)
    return draw.integers(0, 6, size=(200, 3)), draw.integers(0, 2, 200)


def dictionaries():
    draw = np.random.default_rng(0)
    keys = [f"word {i}" for i in range(12)]
    return [{key: float(draw.normal()) for key in draw.choice(keys, draw.integers(1, 9), replace=False)} for _ in range(200)], draw.integers(0, 2, 200)


def numbered_dictionaries():
    x, y = dictionaries()
    return [{int(key.split()[1]) * 1000 - 3: value for key, value in each.items()} for each in x], y


def estimators():
    """name: the estimator, its data, options of the conversion."""
    base = tree.DecisionTreeClassifier(max_depth=3, random_state=0)
    small = dict(n_estimators=10, random_state=0)
    known = {
        # linear
        "linear_regression": (linear_model.LinearRegression(), numbers),
        "ridge": (linear_model.Ridge(), numbers),
        "ridge_cv": (linear_model.RidgeCV(), numbers),
        "lasso": (linear_model.Lasso(0.01), numbers),
        "lasso_lars": (linear_model.LassoLars(0.01), numbers),
        "elastic_net": (linear_model.ElasticNet(0.01), numbers),
        "lars": (linear_model.Lars(), numbers),
        "bayesian_ridge": (linear_model.BayesianRidge(), numbers),
        "ard_regression": (linear_model.ARDRegression(), numbers),
        "huber": (linear_model.HuberRegressor(), numbers),
        "theil_sen": (linear_model.TheilSenRegressor(random_state=0, max_iter=20), numbers),
        "ransac": (linear_model.RANSACRegressor(random_state=0), numbers),
        "omp": (linear_model.OrthogonalMatchingPursuit(), numbers),
        "sgd_regressor": (linear_model.SGDRegressor(random_state=0), numbers),
        "passive_aggressive_regressor": (linear_model.PassiveAggressiveRegressor(random_state=0), numbers),
        "poisson": (linear_model.PoissonRegressor(), numbers),
        "tweedie": (linear_model.TweedieRegressor(power=1.5, link="log"), numbers),
        "gamma": (linear_model.GammaRegressor(), numbers),
        "quantile": (linear_model.QuantileRegressor(alpha=0.01), numbers),
        "multi_task_lasso": (linear_model.MultiTaskLasso(0.01), several_targets),
        "logistic": (linear_model.LogisticRegression(max_iter=500), iris),
        "logistic_two": (linear_model.LogisticRegression(max_iter=500), two_classes),
        "logistic_names": (linear_model.LogisticRegression(max_iter=500), named_classes),
        "logistic_maps": (linear_model.LogisticRegression(max_iter=500), named_classes, {"zipmap": True}),
        "logistic_cv": (linear_model.LogisticRegressionCV(max_iter=500, cv=3), iris),
        "ridge_classifier": (linear_model.RidgeClassifier(), iris),
        "sgd_classifier": (linear_model.SGDClassifier(random_state=0), iris),
        "sgd_log": (linear_model.SGDClassifier(loss="log_loss", random_state=0), two_classes),
        "perceptron": (linear_model.Perceptron(random_state=0), iris),
        "linear_svc": (svm.LinearSVC(random_state=0), iris),
        "linear_svr": (svm.LinearSVR(random_state=0), numbers),
        "lda": (discriminant_analysis.LinearDiscriminantAnalysis(), iris),
        "qda": (discriminant_analysis.QuadraticDiscriminantAnalysis(), iris),
        # support vectors
        "svc": (svm.SVC(), iris),
        "svc_two": (svm.SVC(), two_classes),
        "svc_probability": (svm.SVC(probability=True, random_state=0), named_classes),
        "svc_two_probability": (svm.SVC(probability=True, random_state=0), two_classes),
        "svc_poly": (svm.SVC(kernel="poly", probability=True, random_state=0), iris),
        "nu_svc": (svm.NuSVC(nu=0.1), iris),
        "svr": (svm.SVR(), numbers),
        "nu_svr": (svm.NuSVR(), numbers),
        "one_class_svm": (svm.OneClassSVM(), iris),
        # trees
        "decision_tree": (tree.DecisionTreeClassifier(random_state=0), iris),
        "decision_tree_two": (tree.DecisionTreeClassifier(random_state=0), two_classes),
        "decision_tree_regressor": (tree.DecisionTreeRegressor(random_state=0), numbers),
        "extra_tree": (tree.ExtraTreeClassifier(random_state=0), named_classes),
        "random_forest": (ensemble.RandomForestClassifier(**small), iris),
        "random_forest_two": (ensemble.RandomForestClassifier(**small), two_classes),
        "random_forest_names": (ensemble.RandomForestClassifier(**small), named_classes),
        "random_forest_maps": (ensemble.RandomForestClassifier(**small), iris, {"zipmap": True}),
        "random_forest_regressor": (ensemble.RandomForestRegressor(**small), numbers),
        "random_forest_targets": (ensemble.RandomForestRegressor(**small), several_targets),
        "extra_trees": (ensemble.ExtraTreesClassifier(**small), iris),
        "extra_trees_regressor": (ensemble.ExtraTreesRegressor(**small), numbers),
        "gradient_boosting": (ensemble.GradientBoostingClassifier(**small), iris),
        "gradient_boosting_two": (ensemble.GradientBoostingClassifier(**small), two_classes),
        "gradient_boosting_regressor": (ensemble.GradientBoostingRegressor(**small), numbers),
        "hist_gradient_boosting": (ensemble.HistGradientBoostingClassifier(max_iter=10, random_state=0), iris),
        "hist_gradient_boosting_two": (ensemble.HistGradientBoostingClassifier(max_iter=10, random_state=0), two_classes),
        "hist_gradient_boosting_regressor": (ensemble.HistGradientBoostingRegressor(max_iter=10, random_state=0), numbers),
        "ada_boost": (ensemble.AdaBoostClassifier(**small), iris),
        "ada_boost_regressor": (ensemble.AdaBoostRegressor(**small), numbers),
        "bagging": (ensemble.BaggingClassifier(base, **small), iris),
        "bagging_regressor": (ensemble.BaggingRegressor(**small), numbers),
        "voting": (ensemble.VotingClassifier([("a", linear_model.LogisticRegression(max_iter=500)), ("b", base)], voting="soft", flatten_transform=False), iris),
        "voting_hard": (ensemble.VotingClassifier([("a", linear_model.LogisticRegression(max_iter=500)), ("b", base)], flatten_transform=False), iris),
        "voting_regressor": (ensemble.VotingRegressor([("a", linear_model.Ridge()), ("b", tree.DecisionTreeRegressor(max_depth=3))]), numbers),
        "stacking": (ensemble.StackingClassifier([("a", base), ("b", naive_bayes.GaussianNB())]), iris),
        "stacking_regressor": (ensemble.StackingRegressor([("a", linear_model.Ridge()), ("b", tree.DecisionTreeRegressor(max_depth=3))]), numbers),
        "isolation_forest": (ensemble.IsolationForest(**small), iris),
        # others that decide
        "gaussian_nb": (naive_bayes.GaussianNB(), iris),
        "bernoulli_nb": (naive_bayes.BernoulliNB(binarize=5), counts),
        "multinomial_nb": (naive_bayes.MultinomialNB(), counts),
        "complement_nb": (naive_bayes.ComplementNB(), counts),
        "k_neighbors": (neighbors.KNeighborsClassifier(), named_classes),
        "k_neighbors_regressor": (neighbors.KNeighborsRegressor(), numbers),
        "radius_neighbors": (neighbors.RadiusNeighborsClassifier(3.0), iris),
        "local_outlier_factor": (neighbors.LocalOutlierFactor(novelty=True), iris),
        "mlp": (neural_network.MLPClassifier((8,), max_iter=200, random_state=0), iris),
        "mlp_two": (neural_network.MLPClassifier((8,), max_iter=200, random_state=0), two_classes),
        "mlp_regressor": (neural_network.MLPRegressor(hidden_layer_sizes=(8,), max_iter=200, random_state=0), numbers),
        "one_vs_rest": (multiclass.OneVsRestClassifier(linear_model.LogisticRegression(max_iter=500)), iris),
        "one_vs_one": (multiclass.OneVsOneClassifier(linear_model.LogisticRegression(max_iter=500)), iris),
        "calibrated": (calibration.CalibratedClassifierCV(naive_bayes.GaussianNB(), cv=2), iris),
        "gaussian_process_regressor": (gaussian_process.GaussianProcessRegressor(alpha=0.1), numbers),
        "gaussian_mixture": (mixture.GaussianMixture(3, random_state=0), iris),
        "bayesian_mixture": (mixture.BayesianGaussianMixture(n_components=3, random_state=0), iris),
        "k_means": (cluster.KMeans(3, random_state=0, n_init=3), iris),
        "mini_batch_k_means": (cluster.MiniBatchKMeans(3, random_state=0, n_init=3), iris),
        "pls": (cross_decomposition.PLSRegression(2), several_targets),
        # transforms
        "standard_scaler": (preprocessing.StandardScaler(), iris),
        "min_max_scaler": (preprocessing.MinMaxScaler(clip=True), iris),
        "max_abs_scaler": (preprocessing.MaxAbsScaler(), iris),
        "robust_scaler": (preprocessing.RobustScaler(), iris),
        "normalizer_l1": (preprocessing.Normalizer("l1"), iris),
        "normalizer_l2": (preprocessing.Normalizer("l2"), iris),
        "normalizer_max": (preprocessing.Normalizer("max"), iris),
        "binarizer": (preprocessing.Binarizer(threshold=3), iris),
        "polynomial": (preprocessing.PolynomialFeatures(2), iris),
        "power": (preprocessing.PowerTransformer(), iris),
        "k_bins": (preprocessing.KBinsDiscretizer(4, encode="onehot-dense", quantile_method="averaged_inverted_cdf"), iris),
        "one_hot": (preprocessing.OneHotEncoder(handle_unknown="ignore", sparse_output=False), words),
        "one_hot_integers": (preprocessing.OneHotEncoder(handle_unknown="ignore", sparse_output=False), integers),
        "ordinal": (preprocessing.OrdinalEncoder(), words),
        "target_encoder": (preprocessing.TargetEncoder(random_state=0), words),
        "label_encoder": (preprocessing.LabelEncoder(), labels),
        "label_binarizer": (preprocessing.LabelBinarizer(), labels),
        "simple_imputer": (impute.SimpleImputer(), with_gaps),
        "knn_imputer": (impute.KNNImputer(n_neighbors=3), with_gaps),
        "pca": (decomposition.PCA(2), iris),
        "incremental_pca": (decomposition.IncrementalPCA(2), iris),
        "kernel_pca": (decomposition.KernelPCA(2, kernel="rbf", random_state=0), iris),
        "truncated_svd": (decomposition.TruncatedSVD(2, random_state=0), iris),
        "gaussian_projection": (random_projection.GaussianRandomProjection(2, random_state=0), iris),
        "select_k_best": (feature_selection.SelectKBest(k=2), iris),
        "variance_threshold": (feature_selection.VarianceThreshold(0.3), iris),
        "rfe": (feature_selection.RFE(linear_model.LogisticRegression(max_iter=500), n_features_to_select=2), iris),
        "hasher": (feature_extraction.FeatureHasher(8, input_type="string"), words),
        "dict_vectorizer": (feature_extraction.DictVectorizer(sparse=False), dictionaries),
        "dict_vectorizer_integers": (feature_extraction.DictVectorizer(sparse=False), numbered_dictionaries),
        # together
        "pipeline": (pipeline.make_pipeline(preprocessing.StandardScaler(), decomposition.PCA(3), linear_model.LogisticRegression(max_iter=500)), iris),
        "pipeline_words": (pipeline.make_pipeline(preprocessing.OneHotEncoder(handle_unknown="ignore"), linear_model.LogisticRegression()), words),
        "pipeline_dictionaries": (pipeline.make_pipeline(feature_extraction.DictVectorizer(sparse=False), preprocessing.MaxAbsScaler(), linear_model.LogisticRegression()), dictionaries),
        "columns": (pipeline.make_pipeline(compose.ColumnTransformer([("a", preprocessing.StandardScaler(), [0, 1]), ("b", preprocessing.Binarizer(threshold=2), [2, 3])]),
                                           ensemble.RandomForestClassifier(**small)), iris),
    }  # fmt: skip
    return known | boosted()


def boosted():
    more = {}
    try:
        import lightgbm

        light = dict(n_estimators=20, num_leaves=7, verbose=-1, random_state=0)
        more["lightgbm"] = (lightgbm.LGBMClassifier(**light), iris)
        more["lightgbm_two"] = (lightgbm.LGBMClassifier(**light), two_classes)
        more["lightgbm_regressor"] = (lightgbm.LGBMRegressor(**light), numbers)
    except ImportError:
        pass
    try:
        import xgboost

        extreme = dict(n_estimators=10, max_depth=4, random_state=0)
        more["xgboost"] = (xgboost.XGBClassifier(**extreme), iris)
        more["xgboost_two"] = (xgboost.XGBClassifier(**extreme), two_classes)
        more["xgboost_regressor"] = (xgboost.XGBRegressor(**extreme), numbers)
    except ImportError:
        pass
    try:
        import catboost

        cat = dict(iterations=10, depth=4, verbose=0, random_seed=0, allow_writing_files=False)
        more["catboost"] = (catboost.CatBoostClassifier(**cat), iris)
        more["catboost_two"] = (catboost.CatBoostClassifier(**cat), two_classes)
        more["catboost_regressor"] = (catboost.CatBoostRegressor(**cat), numbers)
    except ImportError:
        pass
    return more


def type_of(x):
    """As skl2onnx has it."""
    if isinstance(x, list):
        key = data_types.StringTensorType if isinstance(next(iter(x[0])), str) else data_types.Int64TensorType
        return data_types.DictionaryType(key([1]), data_types.FloatTensorType([1]))
    kind = data_types.StringTensorType if x.dtype.kind == "U" else data_types.Int64TensorType if x.dtype.kind == "i" else data_types.FloatTensorType
    return kind([None, *x.shape[1:]])


def converted(estimator, x, y, options, path):
    """Trains, and writes the model with a batch named N."""
    estimator.fit(x) if y is None else estimator.fit(x, y)
    module = type(estimator).__module__.split(".")[0]
    if module == "catboost":
        estimator.save_model(str(path), format="onnx")
        return onnx.load(path)
    types = [("X", type_of(x))]
    if module in ("lightgbm", "xgboost"):
        import onnxmltools
        from onnxmltools.convert.common import data_types as other

        convert = onnxmltools.convert_lightgbm if module == "lightgbm" else onnxmltools.convert_xgboost
        arguments = {"zipmap": False} if module == "lightgbm" else {}
        return convert(estimator, initial_types=[("X", other.FloatTensorType([None, *x.shape[1:]]))], target_opset=15, **arguments)
    def write(**more):
        return skl2onnx.to_onnx(estimator, initial_types=types, target_opset={"": 18, "ai.onnx.ml": 3}, **more)

    if options.get("zipmap") or not hasattr(estimator, "predict_proba"):
        return write()
    try:
        return write(options={id(estimator): {"zipmap": False}})
    except NameError:  # it has probabilities, and no maps of them
        return write()


def named_batch(model):
    for value in model.graph.input:
        if value.type.HasField("map_type"):
            continue
        value.type.tensor_type.shape.dim[0].dim_param = "N"
    return model


def plain(value):
    """What a list of maps is to us: a matrix of their values."""
    if isinstance(value, list):
        value = np.array([list(each.values()) for each in value], dtype=np.float32)
    return value.astype(object) if value.dtype.kind in "US" else value


def written(array, name, path):
    if isinstance(array, dict):
        path.write_bytes(written_map(array, name).SerializeToString())
        return
    tensor = onnx.helper.make_tensor(name, onnx.TensorProto.STRING, array.shape, [str(s).encode() for s in array.ravel()]) \
        if array.dtype.kind in "OU" else numpy_helper.from_array(np.ascontiguousarray(array), name)  # fmt: skip
    path.write_bytes(tensor.SerializeToString())


def written_map(values, name):
    proto = onnx.MapProto(name=name)
    for key, value in values.items():
        proto.key_type = onnx.TensorProto.STRING if isinstance(key, str) else onnx.TensorProto.INT64
        (proto.string_keys if isinstance(key, str) else proto.keys).append(key.encode() if isinstance(key, str) else key)
        proto.values.tensor_values.append(numpy_helper.from_array(np.float32(value)))
    return proto


def inputs(x, draw):
    """For each call what it takes: rows that are drawn, or a dictionary of some keys of several, and one that nobody knows."""
    if isinstance(x, list):
        known = {key: value for each in x for key, value in each.items()}
        unknown = "no word" if isinstance(next(iter(known)), str) else -99
        for count in COUNTS:
            keys = [list(known)[i] for i in draw.permutation(len(known))[:count]]
            yield {key: known[key] for key in keys} | ({unknown: 7.0} if count > 1 else {})
        return
    for batch in BATCHES:
        rows = x[draw.integers(0, len(x), batch)]
        yield rows.astype(object) if rows.dtype.kind == "U" else rows if rows.dtype.kind == "i" else rows.astype(np.float32)


def record(model, x, folder):
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    draw = np.random.default_rng(1)
    name = session.get_inputs()[0].name
    for number, rows in enumerate(inputs(x, draw)):
        here = folder / f"test_data_set_{number}"
        here.mkdir(parents=True, exist_ok=True)
        written(rows, name, here / "input_0.pb")
        for i, value in enumerate(session.run(None, {name: rows})):
            written(plain(value), session.get_outputs()[i].name, here / f"output_{i}.pb")


def check(name, entry, args):
    estimator, data, *options = entry
    folder = args.work / name
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "model.onnx"
    x, y = data()
    try:
        model = named_batch(converted(estimator, x, y, options[0] if options else {}, path))
        onnx.save(model, path)
        record(model, x, folder)
    except Exception as problem:  # what the converter or onnxruntime cannot do is no concern of ours
        return "not converted", f"{type(problem).__name__}: {str(problem).splitlines()[0] if str(problem) else ''}"
    sizes = f"X:count=0..{max(COUNTS) + 1}" if isinstance(x, list) else "N=1..64"
    command = [args.sinter, "verify", path, "--data", folder, "--dim", sizes]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    if said.returncode == 0:
        return "agrees", ""
    return "FAILED", "\n".join((said.stdout + said.stderr).strip().splitlines()[-6:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("scikit_learn"))
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    known = estimators()
    results = {}
    for name in args.names or known:
        if args.list:
            print(name)
            continue
        results[name], text = check(name, known[name], args)
        print(f"{name}: {results[name]}" + (f"\n  {text}" if text else ""), flush=True)
    if args.list:
        return 0
    tally = {what: sum(r == what for r in results.values()) for what in sorted(set(results.values()))}
    print(", ".join(f"{count} {what}" for what, count in tally.items()))
    least = 60 if not args.names else 1
    return 1 if tally.get("FAILED") or tally.get("agrees", 0) < least else 0


if __name__ == "__main__":
    sys.exit(main())
