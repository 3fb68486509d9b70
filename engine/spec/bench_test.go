package spec

import (
	"fmt"
	"testing"
)

// project returns n specs like those of a big project: drivers with nine members each, dependencies between the
// drivers, and some completed specs.
func project(t testing.TB, n int) []*File {
	t.Helper()
	all := make([]*File, 0, n)
	for i := range n {
		group, member := i/10, i%10
		id := ID{Date: "2026-11-20", Seq: group + 1, Suffix: "abc"}
		front := "type: driver"
		if group > 0 {
			front += "\ndepends_on: " + ID{Date: "2026-11-20", Seq: group, Suffix: "abc"}.String()
		}
		if member > 0 {
			id.Members, front = []int{member}, "labels: [a]"
		}
		if i < n/2 {
			front += "\nstatus: completed"
		}
		all = append(all, read(t, id.String(), front, "# T\n"))
	}
	return all
}

// BenchmarkGraph measures building a graph; the time should grow about linearly with the number of specs.
func BenchmarkGraph(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		all := project(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				g := GraphOf(all, nil)
				for _, s := range all {
					g.Blockers(s.ID)
				}
			}
		})
	}
}
