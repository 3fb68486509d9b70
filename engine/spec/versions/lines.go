package versions

import (
	"bytes"
	"slices"
)

// carryMost bounds the lines of two texts that are compared with each other, multiplied.
const carryMost = 16 << 20

// carryLines makes the change from base to edited in another text, line by line. Lines that were added
// follow the nearest line above them that the text has too; lines that were removed or replaced must
// be there. What the text has changed in the same way already stays as it is. clash reports lines that
// are not there; the result then is the text as it was.
func carryLines(base, text, edited []byte) (out []byte, clash bool) {
	from, to, lines := linesOf(base), linesOf(edited), linesOf(text)
	kept, ok := matches(from, to)
	there, okToo := matches(from, lines)
	if !ok || !okToo {
		return text, true
	}
	drop, add := map[int]bool{}, map[int][][]byte{} // by lines of the text; added behind
	own := ownLines(there, len(lines))
	next, anchor := 0, -1
	for i := 0; i <= len(from); i++ {
		end := len(to)
		if i < len(from) {
			if kept[i] < 0 {
				continue // its fate is decided with the hunk that ends at the next kept line
			}
			end = kept[i]
		}
		gone := removedBefore(kept, i)
		if last, ok := made(gone, there, to[next:end], lines, own, anchorOf(there, gone, i, anchor)); ok {
			anchor, next = last, end+1
			continue
		}
		if !hunk(gone, there, end > next, drop) {
			return text, true
		}
		anchor = anchorOf(there, gone, i, anchor)
		add[anchor] = append(add[anchor], to[next:end]...)
		next = end + 1
	}
	return assemble(lines, drop, add), false
}

// removedBefore are the lines of base right before i that the edit has not kept.
func removedBefore(kept []int, i int) (gone []int) {
	for j := i - 1; j >= 0 && kept[j] < 0; j-- {
		gone = append(gone, j)
	}
	slices.Reverse(gone)
	return gone
}

// ownLines reports of each line of the text whether base lacks it.
func ownLines(there []int, n int) []bool {
	own := slices.Repeat([]bool{true}, n)
	for _, at := range there {
		if at >= 0 {
			own[at] = false
		}
	}
	return own
}

// made reports whether the text has a change already, and in which line it ends: the removed lines are
// gone, and the added ones stand among those that the text has of its own behind the anchor.
func made(gone, there []int, added, lines [][]byte, own []bool, anchor int) (last int, ok bool) {
	if len(added) == 0 || slices.ContainsFunc(gone, func(j int) bool { return there[j] >= 0 }) {
		return 0, false
	}
	end := anchor + 1
	for end < len(lines) && own[end] {
		end++
	}
	for at := anchor + 1; at+len(added) <= end; at++ {
		if slices.EqualFunc(added, lines[at:at+len(added)], bytes.Equal) {
			return at + len(added) - 1, true
		}
	}
	return 0, false
}

// hunk marks removed lines in the text; false where lines that were replaced are not there.
func hunk(gone, there []int, replaced bool, drop map[int]bool) bool {
	for _, j := range gone {
		if there[j] >= 0 {
			drop[there[j]] = true
		} else if replaced {
			return false
		}
	}
	return true
}

// anchorOf is the line of the text behind which lines go that stand before line i of base.
func anchorOf(there, gone []int, i, before int) int {
	first := i - len(gone)
	for j := i - 1; j >= 0; j-- {
		if there[j] >= 0 && (j < first || len(gone) > 0) {
			return max(there[j], before)
		}
	}
	return before
}

func assemble(lines [][]byte, drop map[int]bool, add map[int][][]byte) []byte {
	out := slices.Concat(add[-1]...)
	for i, line := range lines {
		if !drop[i] {
			out = append(out, line...)
		}
		out = append(out, slices.Concat(add[i]...)...)
	}
	return out
}

// linesOf splits a text into lines with their ends; the last one gets one.
func linesOf(text []byte) [][]byte {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(slices.Clone(text), '\n')
	}
	return slices.Collect(bytes.Lines(text))
}

// matches says for each line of a which line of b it is in a longest common subsequence, -1 for
// none; false where the texts are too long to compare.
func matches(a, b [][]byte) ([]int, bool) {
	out := make([]int, len(a))
	for i := range out {
		out[i] = -1
	}
	lo, endA, endB := 0, len(a), len(b)
	for lo < endA && lo < endB && bytes.Equal(a[lo], b[lo]) {
		out[lo] = lo
		lo++
	}
	for endA > lo && endB > lo && bytes.Equal(a[endA-1], b[endB-1]) {
		endA, endB = endA-1, endB-1
		out[endA] = endB
	}
	n, m := endA-lo, endB-lo
	if n*m > carryMost {
		return nil, false
	}
	length := make([][]int32, n+1) // of the best from here on
	for i := range length {
		length[i] = make([]int32, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if bytes.Equal(a[lo+i], b[lo+j]) {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case bytes.Equal(a[lo+i], b[lo+j]):
			out[lo+i] = lo + j
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out, true
}
