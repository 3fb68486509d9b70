# Runs the tests of a fixture without its toolchain: run.sed turns the few forms that it uses into awk.
# Usage: sh run.sh [NAME OF A TEST THAT MUST BE THERE]
want=$1
set -- src/*
if [ -d tests ]; then set -- "$@" tests/*; fi
awk "
function begin(name) { ran = ran \" \" name \";\" }
function fail(why) { print why; failed = 1 }
function ok(holds) { if (!holds) fail(\"it does not hold\") }
function eq(got, want) { if (got \"\" != want \"\") fail(\"got \" got \", want \" want) }
$(sed -E -f run.sed "$@")
BEGIN { if (!index(ran \" ;\", \" $want;\")) fail(\"no test $want\"); exit failed }"
code=$?
# What awk does not understand does not compile.
if [ $code = 2 ]; then echo SyntaxError; fi
exit $code
