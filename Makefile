# Each target is a script that also runs without `make`.
.PHONY: demo test check format wheel

demo:    ## find and replace the personal data in examples/personnel_page.png
	scripts/demo.sh

test:    ## all checks, then the tests
	scripts/test.sh

check: test  ## the checks of CI

format:  ## format the code, and fix lint that can be fixed automatically
	scripts/format.sh

wheel:   ## build dist/, and test the installed wheel
	scripts/wheel.sh
