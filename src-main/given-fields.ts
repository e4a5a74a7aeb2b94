type Given<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> }

/** Without the fields that hold nothing: those keep their value, or their default. */
export const givenFields = <Fields extends object>(fields: Fields): Given<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>
