package bench

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"time"

	"chant/engine/spec"
)

// generated is a spec with its place in the project.
type generated struct{ id, text string }

// generate yields specs of about 1.7 KB: one in ten is completed, one in five depends on an earlier one, and one in
// twenty is a driver with two members. The same number gives the same specs.
func generate(count int) iter.Seq[generated] {
	return func(yield func(generated) bool) {
		random := rand.New(rand.NewPCG(1, uint64(count)))
		var ids []string
		next := func(id string, isDriver bool) bool {
			s := generated{id, specText(random, ids, isDriver)}
			ids = append(ids, id)
			return yield(s)
		}
		for n := 0; len(ids) < count; n++ {
			day := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n/200)
			id := spec.ID{Date: day.Format(spec.DateLayout), Seq: n%200 + 1, Suffix: suffix(random)}.String()
			isDriver := n%20 == 7 && len(ids)+2 < count
			if !next(id, isDriver) {
				return
			}
			if isDriver && (!next(id+".1", false) || !next(id+".2", false)) {
				return
			}
		}
	}
}

func suffix(random *rand.Rand) string {
	const letters = "0123456789abcdefghijklmnopqrstuvwxyz"
	return string([]byte{letters[10+random.IntN(26)], letters[random.IntN(36)], letters[random.IntN(36)]})
}

// words are what titles and prose are made of.
var words = strings.Fields(`parser queue retry session worker index cache token branch merge commit window buffer stream
	request response header timeout signal handler config default setting schema field value error message report list
	search filter order limit page cursor update delete insert create archive restore backup export import format table
	column label owner review approve reject criterion evidence journal lock lease process thread memory disk network`)

func sentence(random *rand.Rand, length int) string {
	out := make([]string, length)
	for i := range out {
		out[i] = words[random.IntN(len(words))]
	}
	out[0] = strings.ToUpper(out[0][:1]) + out[0][1:]
	return strings.Join(out, " ")
}

func specText(random *rand.Rand, earlier []string, isDriver bool) string {
	var b strings.Builder
	kind, status := "code", "pending"
	if isDriver {
		kind = "driver"
	} else if random.IntN(10) == 0 {
		status = "completed"
	}
	fmt.Fprintf(&b, "---\ntype: %s\nstatus: %s\nlabels:\n- %s\n- area-%d\n", kind, status, words[random.IntN(len(words))], random.IntN(20))
	fmt.Fprintf(&b, "target_files:\n- src/%s/%s.go\n", words[random.IntN(len(words))], words[random.IntN(len(words))])
	if len(earlier) > 0 && random.IntN(5) == 0 {
		fmt.Fprintf(&b, "depends_on:\n- %s\n", earlier[random.IntN(len(earlier))])
	}
	fmt.Fprintf(&b, "---\n\n# %s\n\n## Problem\n\n", sentence(random, 6))
	for range 9 {
		fmt.Fprintf(&b, "%s.\n%s.\n\n", sentence(random, 11), sentence(random, 9))
	}
	b.WriteString("## Acceptance Criteria\n\n")
	box := map[string]string{"pending": " ", "completed": "x"}[status]
	fmt.Fprintf(&b, "- [%s] %s `$ true`\n- [%s] %s\n", box, sentence(random, 5), box, sentence(random, 6))
	return b.String()
}
