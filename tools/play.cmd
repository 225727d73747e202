@echo off
rem Sets Narrator up if need be, then does what tools/play does elsewhere.
setlocal
set "launcher=py -3"
where py >nul 2>nul || set "launcher=python"
%launcher% -c "import sys; sys.exit(sys.version_info < (3, 11))" >nul 2>nul
if errorlevel 1 (
  echo Narrator needs Python 3.11 or newer. Install it from python.org, then start this again. 1>&2
  exit /b 2
)
%launcher% "%~dp0launch.py" play %*
