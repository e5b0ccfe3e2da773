# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""State: kept by sessions, an input and output of other calls; also state of which a call uses a part."""
import threading
import unittest

import numpy as np
import sinter
from case import Case, model

ONES = np.ones((2, 4), np.float32)


class Sessions(Case):
    @classmethod
    def setUpClass(cls):
        cls.net = sinter.compile(model("state"), dims={"n": (1, 2)}, state={"h_out": "h"})
        cls.growing = sinter.compile(model("cache"), dims={"new": (1, 4), "past": (0, 8)}, state={"present": "cache"})

    def test_state(self):
        session, other = self.net.session(), self.net.session(n=1)
        self.assertEqual([float(session(x=ONES)[0, 0]) for _ in range(3)], [1, 2, 3])
        self.assertEqual(float(other(ONES[:1])[0, 0]), 1)
        self.assertEqual(session.state["h"].tolist(), (3 * ONES).tolist())
        session.set_state(h=10 * ONES)
        self.assertEqual(float(session(ONES)[0, 0]), 11)
        session.reset()
        self.assertEqual(list(session.run({"x": ONES})), ["y"])
        with self.refused(sinter.InputError, "no input 'h'"):
            session(x=ONES, h=ONES)
        with self.refused(sinter.InputError, "'n', is 1"):
            session(ONES[:1]), session(ONES[:1])
        with self.refused(sinter.UsageError, "no state has a dim 'm'"):
            self.net.session(m=1)
        with self.refused(sinter.InputError, "no state 'g'"):
            session.set_state(g=ONES)

    def test_without_session(self):
        given = 5 * ONES
        made = self.net(x=ONES, h=given)
        self.assertEqual((float(made.y[0, 0]), float(made.h_out[0, 0]), float(given[0, 0])), (6, 6, 5))
        self.assertEqual(float(self.net(x=ONES).h_out[0, 0]), 1)

    def test_growing(self):
        def ones(rows):
            return np.ones((1, rows, 4), np.float32)

        session = self.growing.session()
        self.assertEqual([float(session(ones(rows))[0, 0, 0]) for rows in (1, 2, 3)], [1, 3, 6])
        self.assertEqual(session.state["cache"].shape, (1, 6, 4))
        with self.refused(sinter.CallError, "status 3"):
            session(ones(3))
        session.set_state(cache=7 * ones(2))
        self.assertEqual(float(session(ones(1))[0, 0, 0]), 15)
        session.reset()
        self.assertEqual(float(session(ones(1))[0, 0, 0]), 1)
        made = self.growing(x=ones(1), cache=2 * ones(3))
        self.assertEqual((made.present[0, :, 0].tolist(), float(made.sum[0, 0, 0])), ([2, 2, 2, 1], 7))
        with self.refused(sinter.InputError, "'past', is 9"):
            self.growing(x=ones(1), cache=ones(9))

    def test_threads_take_turns(self):
        session = self.net.session()

        def work():
            for _ in range(500):
                session(x=ONES)

        workers = [threading.Thread(target=work) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(float(session.state["h"][0, 0]), 2000)


if __name__ == "__main__":
    unittest.main()
