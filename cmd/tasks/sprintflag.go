package tasks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// sprintList is a flag with the numbers of sprints: 2, "#2" or 2,3. An empty value is an empty list.
type sprintList struct {
	to    *[]int
	given bool
}

func sprintsVar(to *[]int) *sprintList { return &sprintList{to: to} }

// String returns the value as help shows it.
func (l *sprintList) String() string {
	if l.to == nil {
		return ""
	}
	return numbers(*l.to)
}

// Set adds the numbers of a value.
func (l *sprintList) Set(text string) error {
	if !l.given {
		*l.to, l.given = []int{}, true
	}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimPrefix(strings.TrimSpace(part), "#"); part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not the number of a sprint (use 2 or 2,3)", part)
		}
		if !slices.Contains(*l.to, n) {
			*l.to = append(*l.to, n)
		}
	}
	return nil
}

// Type names the value in help.
func (l *sprintList) Type() string { return "sprints" }
