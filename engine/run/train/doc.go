// Package train lines up the branches that wait to land on a target, and says which of them may be checked at the same
// time, each on the tree that results if all before it land. It knows neither git nor criteria: package judge computes
// the trees, runs the criteria, and lands.
//
// Each process that lands a branch has a car in the train: a lock that ends with the process, and beside it a file that
// says what the car is about, what it was stacked on, and what came of it. No process conducts. Each one looks at the
// cars before it, stacks its branch on the nearest of them that is still expected to land, runs its criteria there, and
// lands when nobody is before it.
//
// # Rules
//
//   - What another process has written here moves a car, and lands nothing: whoever lands computes the merge anew under
//     the lock of the target, and counts a result only if this process has found it on the very same tree.
//   - A car whose criteria fail stays in the train until all before it have left, since one of them may be why it fails. Those
//     behind it do not wait for that: they are stacked as if it were not there.
//   - A car that fails behind others without a result searches for the one that is why, behind fewer and fewer of them. Until
//     it has found it, and until that one has a result, neither is expected to land. That moves cars, and takes none out:
//     each leaves for what its own criteria have given on the target.
//   - A car is stacked anew only if the tree under it changes, not if its commit does.
//   - A person's orders (hold, resume, eject, first) are files beside the cars. One that is about a car ends with it.
//
// # Decisions
//
// 2026-11-30: the processes that land are the train, each for its own car. Rejected: one process that conducts all, which
// must be handed the worktrees, keys and settings of the others, whose death stops everyone, and whose results the others
// would have to believe, though an agent could have written them.
//
// 2026-11-30: the order is that of priority, then arrival, then id, also for cars that are being checked: what is urgent
// makes those behind it start again. Rejected: seats for those that are being checked, since with criteria that wait,
// everyone has one at once, and a priority would mean nothing.
//
// 2026-11-30: who fails behind others searches for the cause (search). Before, only the car that had failed was passed over,
// so that everything behind a bad one with a long check failed on it until that check ended. TestTrain_simulated, 8
// processors, 5 % failures and a queue that is always full: 0.78 of an oracle's throughput and 1.43 times its turnaround at
// the median without the search, 0.87 and 1.26 times with it. Rejected: to blame the car behind which several have
// failed, which is wrong as often as right while there are several; to pass over one that has failed until it has
// passed, even if another was the cause, which lands less than before.
//
// 2026-11-30: each branch is checked on a tree of its own. Rejected for now: batches, checked by the car at their end, whose tree
// contains the others. In TestTrain_simulated, with 8 processors and 5 % failures, they land less than the train where criteria
// leave room for others, since each takes as long as its slowest and stops all behind it if it fails; where criteria fill the
// machine they land about 1.4 times as much, but the commits between were never checked as they are.
package train
