"""The network of likely faces learns families from faces that are not ours."""

import pytest

pytestmark = pytest.mark.checkout

torch = pytest.importorskip("torch", reason="torch is not installed")


def test_a_face_that_is_not_ours_teaches_its_family_alone() -> None:
    """Which of the family's faces is likely does not matter, but how likely they are together."""
    shortlist = pytest.importorskip("training.shortlist", reason="torch is not installed")
    known = shortlist.faces()
    sans = [number for number, face in enumerate(known) if face.family == "sans"]
    serif = next(number for number, face in enumerate(known) if face.family == "serif")
    label = torch.tensor([shortlist.FAMILIES.index("sans") - len(shortlist.FAMILIES)])

    def loss(likely: int) -> float:
        logits = torch.zeros(1, len(known))
        logits[0, likely] = 3.0
        return float(shortlist.loss_of(logits, label))

    assert loss(sans[0]) == pytest.approx(loss(sans[-1]))
    assert loss(sans[0]) < loss(serif)


def test_of_ours_each_face_is_taught() -> None:
    """Another of the family is as wrong as one of another family."""
    shortlist = pytest.importorskip("training.shortlist", reason="torch is not installed")
    logits = torch.zeros(1, len(shortlist.faces()))
    logits[0, 0] = 3.0

    right, wrong = (float(shortlist.loss_of(logits, torch.tensor([n]))) for n in (0, 1))

    assert right < wrong


def test_no_benchmarks_face_is_learnt_from() -> None:
    """Else its figures would tell nothing of faces that are new."""
    shortlist = pytest.importorskip("training.shortlist", reason="torch is not installed")
    drawn = {name for names in shortlist.imaging_forms.OTHERS.values() for name in names}

    assert drawn.isdisjoint(name for names in shortlist.OTHERS.values() for name in names)
