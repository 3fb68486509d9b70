package train

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/assert/v2"
)

// change is a branch that wants to land, in a queue that all policies replay.
type change struct {
	arrives float64 // seconds since the start
	seconds float64 // that its criteria take on a machine that has room
	bad     bool    // it breaks the target by itself, and so all that is stacked on it
	with    int     // the change before it with which it breaks the target; -1 = none
	point   float64 // the part of its criteria after which a failure shows
	content uint64  // stands for its files: trees of the same changes are the same
}

// workload is how a queue comes about, and the machine.
type workload struct {
	load   float64 // processors that a check keeps busy
	slots  int     // processors
	demand float64 // seconds of checks that arrive, as a part of those that the slots have
	rate   float64 // of failures
}

// changes makes a queue of 1,000: agents finish in bursts of up to 50, criteria take a minute at the median and up to half
// an hour, and of ten failures one is due to two changes that only fail together.
func (w workload) changes(seed uint64) []change {
	rnd := rand.New(rand.NewPCG(seed, 0))
	queue := make([]change, 1000)
	now, left := 0.0, 0
	mean := 60 * math.Exp(0.5)
	slots := min(float64(w.slots), float64(w.slots)/w.load)
	for i := range queue {
		if left == 0 {
			left = 1 + rnd.IntN(50)
			now += rnd.ExpFloat64() * mean * float64(left) / (slots * w.demand)
		}
		left--
		now += rnd.Float64()
		c := change{arrives: now, with: -1, point: rnd.Float64(), content: rnd.Uint64()}
		c.seconds = min(max(60*math.Exp(rnd.NormFloat64()), 5), 1800)
		switch failure := rnd.Float64(); {
		case failure < w.rate*0.9:
			c.bad = true
		case failure < w.rate && i > 0:
			c.with = max(i-1-rnd.IntN(10), 0)
		}
		queue[i] = c
	}
	return queue
}

// policy decides which cars are checked, and when.
type policy struct {
	name   string
	width  int  // as landing.width
	adapts bool // the width grows by one with each landing and is halved with each failure, as Zuul's is
	batch  int  // as landing.batch
	seeks  bool // who fails behind others finds out which of them is to blame, as in search.go
	stops  bool // a check ends with its first failure
	knows  bool // what will fail, and leaves it out
}

var (
	oracle        = policy{name: "oracle", batch: 1, knows: true}
	serial        = policy{name: "serial", width: 1, batch: 1}
	ownPolicy     = policy{name: "default", batch: 1, seeks: true}
	endsAtFailure = policy{name: "default, ends at a failure", batch: 1, seeks: true, stops: true}
	inBatches     = policy{name: "batches, auto", seeks: true}
	comparable    = []policy{
		serial,
		{name: "window of 20", width: 20, batch: 1},
		{name: "window that adapts", width: 20, adapts: true, batch: 1},
		{name: "without search", batch: 1},
		ownPolicy,
		endsAtFailure,
		inBatches,
		{name: "batches of 4", batch: 4},
	}
)

// node is the tree that results if a change lands on another tree.
type node struct {
	on     *node
	change int
	sum    uint64 // the same for the same changes in any order
	red    bool
}

func (n *node) has(change int) bool {
	for ; n != nil; n = n.on {
		if n.change == change {
			return true
		}
	}
	return false
}

// ride is what a car does, as in ride.go.
type ride struct {
	under, tree *node
	search      search
	failed      map[uint64]bool // by the sum of what it was stacked on
	left        float64         // seconds of the check under way, if it has its processors for itself
}

// simulation replays a queue against a policy, in simulated time.
type simulation struct {
	workload
	policy
	queue    []change
	next     int // change that arrives
	now      float64
	cars     []Car
	rides    []ride           // by change
	together map[int][]string // the cars of the last check of a car, by its change
	target   *node
	figures
}

type figures struct {
	landed     []int     // changes, sorted
	turnaround []float64 // seconds, sorted
	seconds    float64   // until all have landed or left
	checks     int
	dropped    int // checks whose result counts for nothing, since the tree under them has changed
}

func (f figures) perHour() float64 { return float64(len(f.landed)) / f.seconds * 3600 }

func (f figures) quantile(q float64) float64 {
	return f.turnaround[int(q*float64(len(f.turnaround)-1))]
}

func simulate(w workload, p policy, queue []change) figures {
	s := &simulation{workload: w, policy: p, queue: queue, rides: make([]ride, len(queue)), together: map[int][]string{}, target: &node{change: -1}}
	for s.next < len(queue) || len(s.cars) > 0 {
		s.advance()
		begun := s.stackBegun()
		for s.leave() {
			begun = s.stackBegun()
		}
		s.startChecks(begun)
	}
	s.seconds = s.now
	slices.Sort(s.turnaround)
	slices.Sort(s.landed)
	return s.figures
}

// advance brings the time to the next arrival, or to the end of a check. Checks that do not fit on the machine share it.
func (s *simulation) advance() {
	var checking []*Car
	for i := range s.cars {
		if s.cars[i].State == Checking {
			checking = append(checking, &s.cars[i])
		}
	}
	speed := min(1, float64(s.slots)/(float64(len(checking))*s.load))
	var ends *Car
	at := math.Inf(1)
	if len(checking) > 0 {
		ends = slices.MinFunc(checking, func(a, b *Car) int { return cmp.Compare(s.rides[a.Number].left, s.rides[b.Number].left) })
		at = s.now + s.rides[ends.Number].left/speed
	}
	if s.next < len(s.queue) && s.queue[s.next].arrives <= at {
		ends, at = nil, s.queue[s.next].arrives
	}
	for _, c := range checking {
		s.rides[c.Number].left -= (at - s.now) * speed
	}
	s.now = at
	if ends == nil {
		s.arrive()
		return
	}
	r := &s.rides[ends.Number]
	if s.seeks && len(s.together[ends.Number]) == 1 {
		i := slices.IndexFunc(s.cars, func(c Car) bool { return c.Number == ends.Number })
		r.search.learn(s.cars, i, r.tree.red)
		ends.Searching, ends.Blames = r.search.isOpen(), r.search.blames
	}
	ends.State = Passed
	if r.tree.red {
		ends.State = Failed
		if r.failed == nil {
			r.failed = map[uint64]bool{}
		}
		r.failed[r.under.sum] = len(s.together[ends.Number]) == 1
	}
}

func (s *simulation) arrive() {
	n := s.next
	s.next++
	if s.knows && fails(s.queue, n) {
		return
	}
	since := time.Unix(0, 0).Add(time.Duration(s.now * float64(time.Second)))
	s.cars = append(s.cars, Car{ID: fmt.Sprint(n), Number: n, State: Waiting, Since: since, Load: s.load})
	Order(s.cars)
}

// fails reports whether a change cannot land after those before it that can.
func fails(queue []change, n int) bool {
	c := queue[n]
	return c.bad || c.with >= 0 && !fails(queue, c.with)
}

// stackBegun stacks again what was stacked on a tree that has changed. It returns how many cars there are up to the last
// that does more than wait; those behind it are stacked once they are checked.
func (s *simulation) stackBegun() int {
	begun := len(s.cars)
	for begun > 0 && s.cars[begun-1].State == Waiting {
		begun--
	}
	MarkBlamed(s.cars)
	for i := range begun {
		s.stack(i)
	}
	return begun
}

func (s *simulation) stack(i int) {
	c := &s.cars[i]
	r := &s.rides[c.Number]
	on := s.target
	if ahead, ok := Ahead(s.cars, r.search.place(s.cars, i)); ok {
		on = s.rides[ahead.Number].tree
	}
	searching := r.search.isOpen()
	if r.under != nil && r.under.sum == on.sum && searching == c.Searching {
		return
	}
	if c.State != Waiting {
		s.dropped++
	}
	change := s.queue[c.Number]
	red := on.red || change.bad || change.with >= 0 && on.has(change.with)
	r.under, r.tree = on, &node{on, c.Number, on.sum + change.content, red}
	c.State, c.Searching = Waiting, searching
	delete(s.together, c.Number)
	if r.failed[on.sum] {
		c.State = Failed
	}
}

// leave lets the first car leave if it has failed, or land with its batch. It reports whether it did.
func (s *simulation) leave() bool {
	if len(s.cars) > 0 && s.cars[0].State == Failed {
		s.cars = s.cars[1:]
		if s.adapts {
			s.width = max(s.width/2, 3)
		}
		return true
	}
	i := slices.IndexFunc(s.cars, func(c Car) bool { return c.State != Waiting })
	if i < 0 || s.cars[i].State != Passed || !IsFront(s.cars, i-len(s.together[s.cars[i].Number])+1) {
		return false
	}
	s.target = s.rides[s.cars[i].Number].tree
	for _, c := range s.cars[:i+1] {
		s.landed = append(s.landed, c.Number)
		s.turnaround = append(s.turnaround, s.now-s.queue[c.Number].arrives)
	}
	s.cars = s.cars[i+1:]
	if s.adapts {
		s.width++
	}
	return true
}

// members are the first cars.
func (s *simulation) members(n int) (out []member) {
	for _, c := range s.cars[:n] {
		out = append(out, member{c, s.together[c.Number]})
	}
	return out
}

// startChecks checks as many batches as there is room for.
func (s *simulation) startChecks(begun int) {
	// No more than these can begin at once.
	horizon := min(len(s.cars), begun+s.slots*cmp.Or(s.batch, maxBatch))
	var lasts []Car // of the batches
	for _, batch := range batches(s.members(horizon), s.batch, s.slots) {
		c := &s.cars[batch[len(batch)-1]]
		lasts = append(lasts, *c)
		me := len(lasts) - 1
		if c.State != Waiting {
			continue
		}
		// A window alone knows nothing of the machine.
		if !HasRoom(lasts, me, s.width, s.slots) || !HasRoom(lasts, me, 0, s.slots) {
			return
		}
		left := 0.0
		delete(s.together, c.Number)
		for _, i := range batch {
			s.stack(i)
			// All have the same criteria, which take as long as for the slowest of them.
			left = max(left, s.queue[s.cars[i].Number].seconds)
		}
		if c.State == Failed {
			continue
		}
		for _, i := range batch {
			s.together[c.Number] = append(s.together[c.Number], s.cars[i].ID)
		}
		r := &s.rides[c.Number]
		if s.stops && r.tree.red {
			left *= s.queue[c.Number].point
		}
		r.left, c.State, lasts[me].State = left, Checking, Checking
		s.checks++
	}
}

// TestTrain_simulated replays queues against the rules of the train, and compares with an oracle that knows what will fail
// and checks everything else once. With -v, it prints that for many workloads and policies.
func TestTrain_simulated(t *testing.T) {
	t.Parallel()
	const seed = 20261130
	t.Logf("seed %d", seed)
	for _, want := range []struct {
		workload
		policy
		throughput, turnaround float64 // as parts of the oracle's, on average
	}{
		// While the queue is always full.
		{workload{1, 8, 3, 0.05}, ownPolicy, 0.8, 1.3},
		// Agents that finish together, on a machine that has the time.
		{workload{1, 8, 0.6, 0.05}, ownPolicy, 0.8, 1.3},
		// One check at a time.
		{workload{8, 8, 3, 0.05}, ownPolicy, 0.8, 1.3},
		{workload{8, 8, 3, 0.05}, inBatches, 1, 1},
	} {
		const queues = 2
		throughput, turnaround := 0.0, 0.0
		for i := range uint64(queues) {
			queue := want.changes(seed + i)
			best, got := simulate(want.workload, oracle, queue), simulate(want.workload, want.policy, queue)
			assert.Equal(t, best.landed, got.landed, "%s: what lands", want.name)
			throughput += got.perHour() / best.perHour() / queues
			turnaround += got.quantile(0.5) / best.quantile(0.5) / queues
		}
		t.Logf("%+v, %s: %.2f of the oracle's throughput, %.2f of its turnaround at the median", want.workload, want.name, throughput, turnaround)
		assert.True(t, throughput >= want.throughput, "throughput is %.2f of the oracle's, want %.2f", throughput, want.throughput)
		assert.True(t, turnaround <= want.turnaround, "turnaround is %.2f of the oracle's, want %.2f", turnaround, want.turnaround)
	}
	if !testing.Verbose() {
		return
	}
	var table strings.Builder
	out := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "load\tslots\tdemand\tfailures\tpolicy\tper hour\tof oracle\tmedian\tof oracle\tp95\tchecks\tdropped\t")
	for _, w := range workloads() {
		queue := w.changes(seed)
		best := simulate(w, oracle, queue)
		for _, p := range append([]policy{oracle}, comparable...) {
			f := simulate(w, p, queue)
			assert.Equal(t, best.landed, f.landed, "%s: what lands", p.name)
			fmt.Fprintf(out, "%g\t%d\t%g\t%g %%\t%s\t%.1f\t%.2f\t%.0f\t%.2f\t%.0f\t%d\t%d\t\n", w.load, w.slots, w.demand, w.rate*100, p.name,
				f.perHour(), f.perHour()/best.perHour(), f.quantile(.5), f.quantile(.5)/best.quantile(.5), f.quantile(.95), f.checks, f.dropped)
		}
	}
	assert.NoError(t, out.Flush())
	t.Log("\n" + table.String())
}

// workloads are those of the table: criteria that wait, that use one processor, and that fill the machine. Few queue up for
// criteria that wait, since all are checked at once.
func workloads() (out []workload) {
	for _, slots := range []int{8, 2} {
		rates := []float64{0.01, 0.05, 0.1, 0.2}
		if slots == 2 {
			rates = []float64{0.05}
		}
		for _, rate := range rates {
			out = append(out, workload{0.01, slots, 0.6, rate}, workload{1, slots, 0.6, rate}, workload{1, slots, 3, rate}, workload{float64(slots), slots, 3, rate})
		}
	}
	return out
}
