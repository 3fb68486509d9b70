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
		"find pkg -name '*.good'", "test -n $(cat x)", "[ -n $(cat x) ]", "test -d pkg # && test -f pkg/x", "test -f x # || test -f y",
		"go test ./helper | grep ok", "make -C sub check | grep ok", "make check; echo $(set -e)", "make check || echo 'exit 1'", "find . -name x -exec grep y {} \\;",
		"test -f x; echo $(date)", `make check || echo "$(date "+%F")"`,
	} {
		assert.NotEqual(t, "", lostExit(line), "%q passes whatever happens", line)
	}
	for _, line := range []string{
		"go test ./...", "sh greet.sh Ada | grep -qx 'hello, Ada'", "test -f x || test -f y", "make check && echo ok", "echo '|| true' | grep -q true", "! grep -q bad x", "a && b || exit 1",
		"bash -c 'set -o pipefail; go test | tee out'", `out=$(go test ./...) && echo "$out" | grep -q ok`, `test -n "$(cat x)"`, "find . -name x | grep -q .", "cd x; make", "cmd > out 2>&1", "cmd 2>&1 | grep -q '#1'",
		"grep -q '#' x", "sh a.sh # checks a", "test \"$(wc -l < x)\" = 3", "sort x | cmp - y", "cat x | grep -q y", "false || { echo no; exit 1; }", "makefile-lint x | grep -q ok",
		"set -e; make check; echo ok", "set -eu; make check; echo ok", "set -o errexit; make check; echo ok", "test -f x || exit 1; echo ok", "if ! make check; then exit 1; fi; echo ok",
		"grep -q bad log && exit 1 || exit 0", `make check; rc=$?; test -f x || exit "$rc"; echo ok`,
		"test $(ls | wc -l) -eq 3", "[ $(grep x f | wc -l) = 1 ]", "test $(echo $(ls | wc -l) | tail -1) = 3", `test "$(echo "a b" | wc -l)" = 1`, "test $(( $(ls | wc -l) + 1 )) = 4",
		"make help | grep -q check", "make -n check | grep -q lint", "go test -list . ./... | grep -q TestX", "cargo test -- --list | grep -q x", "pytest --collect-only | grep -q test_x",
		"ctest --version | grep -q 3", "find . -name '*.sh' -exec shellcheck {} +", "find docs/a.md", "sh a.sh # checks a; and b & c",
	} {
		assert.Equal(t, "", lostExit(line), "%q says what it seems to", line)
	}
}
