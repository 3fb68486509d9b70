// Package code is the commands about code: index, code, docs and research.
package code
