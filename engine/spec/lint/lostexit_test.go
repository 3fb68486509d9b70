package lint

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestLostExit has lines that pass although what they are about fails, and beside them lines that do not.
func TestLostExit(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"go test ./... || true", "(cd pkg && make check || true)", "make check || echo failed", "npm test || :", "sh check.sh; true", "sh check.sh; echo done", "sh serve.sh &",
		"cd pkg && grep good b | tee out", "grep -c x y | cat", "go test ./... | grep ok", "cd web && npm test 2>&1 | grep passed", "npm run test | grep ok", "pytest -q | grep passed",
		"find pkg -name '*.good'", "test -n $(cat x)", "[ -n $(cat x) ]", "test -d pkg # && test -f pkg/x",
	} {
		assert.NotEqual(t, "", lostExit(line), "%q passes whatever happens", line)
	}
	for _, line := range []string{
		"go test ./...", "sh greet.sh Ada | grep -qx 'hello, Ada'", "test -f x || test -f y", "make check && echo ok", "echo '|| true' | grep -q true", "! grep -q bad x", "a && b || exit 1",
		"bash -c 'set -o pipefail; go test | tee out'", `out=$(go test ./...) && echo "$out" | grep -q ok`, `test -n "$(cat x)"`, "find . -name x | grep -q .", "cd x; make", "cmd > out 2>&1", "cmd 2>&1 | grep -q '#1'",
		"grep -q '#' x", "sh a.sh # checks a", "test \"$(wc -l < x)\" = 3", "sort x | cmp - y", "cat x | grep -q y", "false || { echo no; exit 1; }", "makefile-lint x | grep -q ok",
	} {
		assert.Equal(t, "", lostExit(line), "%q says what it seems to", line)
	}
}
