// Package tasks contains the commands about tasks and sprints: `chant task`, `chant sprint` and `chant whoami`.
//
// It binds flags to the inputs of operations and renders their results. It decides nothing about tasks.
package tasks
