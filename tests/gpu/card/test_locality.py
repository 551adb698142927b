"""Papers that share reviewers are numbered together, and nothing else changes."""

from itertools import combinations

import numpy as np

from unround.card.launch import cuda
from unround.card.sorting import order_of
from unround.scale import Scale
from unround.selection.on_card import dequantize_on_card
from unround.solver.gpu.communities import communities, renumber
from unround.solver.gpu.conference import CardConference


def scattered(seed=1):
    """Two communities of four papers, whose numbers do not tell them apart: odd ones and even ones."""
    random = np.random.default_rng(seed)
    rows = [2 * np.array(three) + side for side in (0, 1) for three in combinations(range(4), 3)]
    paper = np.stack([rows[k] for k in random.permutation(len(rows))]).astype(np.int32)
    level = random.integers(0, 3, paper.shape).astype(np.uint8)
    arrays = (
        np.arange(0, paper.size + 1, 3, dtype=np.int32),
        paper.ravel(),
        level.ravel(),
        (3 * level + np.arange(3)).ravel().astype(np.uint8),
    )
    return CardConference(*map(cuda.to_device, arrays), papers=8)


def test_keys_are_ordered_and_equal_ones_stay_as_they_come():
    keys = np.random.default_rng(2).integers(0, 37, 150).astype(np.int32)
    found = order_of(cuda.to_device(keys), 36).copy_to_host()
    assert found.tolist() == np.argsort(keys, kind="stable").tolist()


def test_communities_are_found():
    label = communities(scattered()).copy_to_host()
    assert len(set(label[0::2].tolist())) == 1
    assert len(set(label[1::2].tolist())) == 1
    assert label[0] != label[1]


def test_papers_of_a_community_are_numbered_together():
    conference = scattered()
    new = renumber(conference)
    assert sorted(new.paper.copy_to_host()[:4] % 2) in ([0] * 4, [1] * 4)
    old = new.paper.copy_to_host()[new.conference.paper.copy_to_host()]
    assert old.tolist() == conference.paper.copy_to_host().tolist()


def test_scores_do_not_depend_on_the_numbering():
    conference, scale = scattered(), Scale.integers(1, 3)
    plain, found = (
        dequantize_on_card(conference, scale, lam=2.0, by_community=by_community)
        for by_community in (False, True)
    )
    assert found.certificate is not None
    assert found.certificate.max_error <= 1e-9
    for one, other in ((plain.scores, found.scores), (plain.centres, found.centres)):
        np.testing.assert_allclose(one.copy_to_host(), other.copy_to_host(), atol=2e-9)
