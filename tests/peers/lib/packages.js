// `require` for the packages that scripts/setup installs beside the build, not in the source tree.
'use strict';

const fs = require('fs');
const path = require('path');

const list = path.join(__dirname, '../../../build/tools/peers/package.json');
if (!fs.existsSync(list)) throw new Error(`there is no ${list}: run scripts/setup`);
module.exports = require('module').createRequire(list);
