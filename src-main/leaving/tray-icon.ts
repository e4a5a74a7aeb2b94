/** packaging/icons/32x32.png, which is not among the files of an installed app. */
export const trayIcon = `data:image/png;base64,${[
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAABmJLR0QA/wD/AP+gvaeTAAADyElEQVRYhcWWS0xcVRzGf+fOZRhew8sBihTFUi',
  'laSwiJbZrYgKi40MTEJi6asnFRN4qPJjboRndGExu1Lm1S0Zhg1ERNGtOHLtqOSW20xtjgUGDKe3jMOAWGGeb8XcxAB+ZeoMwQv+S/uOfknu87',
  '3/lOzh/+ZyirweqWZ/MdrsgTiK5XGDmZEIiSKKj+eMR1bvS37+c3EqB2Hmx/HeFtoCQTYgsEEfXuLe+5k4BYCVA1B9o+B3Uky8Rr0TPsvdC5LM',
  'KxPLpzf+sboI5vMznAvqKaB4LhkQEvJB2obmnJV47CEbJvux1mlSN67/CVKwsGAEZhOyIliLC2HE6TiuZGHE4zbS6DKpW4+TiAmRAkDSJiKbXu',
  'mVbuf/oxbo9N8sfHXzI/OZ0VC5SWBuDHhAOiC+3Uzt4YRMfiFO6oYP9bxyh/eFdWXBCFG5IhLKqqbRWk1Urp/MQU03/342lqwFlUQNWBJuKxJY',
  'I+f2KxrTog6pfwmP/nhAPoddWGfEN43zlF6OYtlFI8eLiDvS8+j1Jq6y6gATAAtAYRWbciMyGufvAZi6EwANUHmyncWbXhf3alE/zLIdQb2plb',
  '6qb5lU5yi4sAGL10jfDQCIje4hmoFAFasx59Sf19NHcdJbfYjYjQ13uWgR8uopSissKD6XCk/ROLxZgITNnzJzdsrozYOOBpaqS5qxMjx2Rpbo',
  'HfT/Uw9WcfAMdffomjLxy2JXnv5Cd80futjYIUB7S2t7F0Tx1GjsntkQmufXiaufGUXW10CSSRLcupzTrg++YnQj4/ges3iC9GV829/9GnnPmq',
  '1+YIlpgIBOzFbTYDS5FFysf9HHuu0X4xC3x9eYjxdYK96QwopThyqI76He67EpB7yKC7Z9b2CDadgY5HysjXYUZHwnclIB94am8pZ69bvx1rMq',
  'AtA1VWkMNrHbW4XWb65CbwUHUBV28GmQrH0ieTrZB5hz9dQUOlk9MX/VsiX8Zuj5PAv9G0cSWpIbRwYE9lLt1P3oOhLPvWTUNLPm/OxfhrLLJW',
  'AWDzFpgKXm3zZEwOYChFV5sH02Cdt0D0qoTVljrxDszjHUjroreM2pIc+qcW7wwoQisCROs+UnbrC0TwBdZYlm2I9EHyCPIWC84jOpjFnm+jmi',
  'mIhi9AsiMKh8dirpLyKEhHIo3bXfrEpH/w0ooAgEhw+ldXcfkukH3bZjuAkjPBQV/38ueqVyQSmv7O5S4LCTwK5GWZekZQJ0JDvm5SLr3lPaup',
  'qckLGc52hxi7RajMhFUpJuJK/1Oso+eHh4cXMllrW/Afk9aVoE4/GGMAAAAASUVORK5CYII=',
].join('')}`
