package text

import (
	"slices"
	"strings"
)

// maxCompared limits the product of the numbers of words that are compared one by one.
const maxCompared = 4_000_000

// DiffWords shows what became of a text, word by word as `git diff --word-diff` does: [-was-] and {+is+}. Of long parts that
// are the same only the words beside a change remain, with … for the others. It is "" for texts that differ in nothing but space.
func DiffWords(was, now string) string {
	a, b := strings.Fields(was), strings.Fields(now)
	if slices.Equal(a, b) {
		return ""
	}
	start, end := 0, 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	var w wordDiff
	w.same(a[:start], false, true)
	w.middle(a[start:len(a)-end], b[start:len(b)-end])
	w.same(a[len(a)-end:], true, false)
	return strings.Join(w.out, " ")
}

// SharedWords is the part of the words of two texts that both have in the same order, from 0 to 1.
func SharedWords(a, b string) float64 {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x)+len(y) == 0 {
		return 1
	}
	if len(x)*len(y) > maxCompared {
		return 0
	}
	return 2 * float64(commonWords(x, y)[0][0]) / float64(len(x)+len(y))
}

type wordDiff struct{ out []string }

// same adds words that both texts have; before and after say on which sides something has changed.
func (w *wordDiff) same(words []string, before, after bool) {
	const beside = 4
	keep := 0
	for _, side := range []bool{before, after} {
		if side {
			keep += beside
		}
	}
	if len(words) <= keep+1 {
		w.out = append(w.out, words...)
		return
	}
	if before {
		w.out = append(w.out, words[:beside]...)
	}
	w.out = append(w.out, "…")
	if after {
		w.out = append(w.out, words[len(words)-beside:]...)
	}
}

// middle adds parts that differ.
func (w *wordDiff) middle(a, b []string) {
	if len(a)*len(b) > maxCompared {
		w.changed(a, b)
		return
	}
	common := commonWords(a, b)
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		fromA, fromB := i, j
		for i < len(a) && j < len(b) && a[i] == b[j] {
			i, j = i+1, j+1
		}
		w.same(a[fromA:i], fromA > 0, true)
		fromA, fromB = i, j
		for (i < len(a) || j < len(b)) && !(i < len(a) && j < len(b) && a[i] == b[j]) {
			if j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1] {
				i++
			} else {
				j++
			}
		}
		w.changed(a[fromA:i], b[fromB:j])
	}
}

func (w *wordDiff) changed(was, now []string) {
	if len(was) > 0 {
		w.out = append(w.out, "[-"+strings.Join(was, " ")+"-]")
	}
	if len(now) > 0 {
		w.out = append(w.out, "{+"+strings.Join(now, " ")+"+}")
	}
}

// commonWords has, for each pair of places, how many words follow in both texts in the same order at most.
func commonWords(a, b []string) [][]int32 {
	out := make([][]int32, len(a)+1)
	for i := range out {
		out[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				out[i][j] = out[i+1][j+1] + 1
			} else {
				out[i][j] = max(out[i+1][j], out[i][j+1])
			}
		}
	}
	return out
}
