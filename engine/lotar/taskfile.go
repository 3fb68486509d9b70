package lotar

import (
	"strconv"
	"strings"
)

// taskNumber returns the number of a task from the name of its file, such as "12.yml".
func taskNumber(name string) (n int, ok bool) {
	stem, isYAML := strings.CutSuffix(name, ".yml")
	if !isYAML {
		stem, isYAML = strings.CutSuffix(name, ".yaml")
	}
	n, err := strconv.Atoi(stem)
	return n, isYAML && err == nil && n > 0 && stem == strconv.Itoa(n)
}
