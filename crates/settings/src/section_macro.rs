//! The macro that declares a section.

/// Declares a section: its struct with one typed field per option, and the description of each option.
///
/// `field: Type = "default", kind, audience, short 'x', secret true;`, the last two being optional. The doc comment is
/// the help text.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident in $section:ident;
        $(
            $(#[doc = $help:literal])+
            $field:ident: $type:ty = $default:expr, $kind:expr, $commands:expr
                $(, short $short:literal)? $(, secret $secret:literal)?;
        )+
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $( $(#[doc = $help])+ pub $field: $type, )+
        }

        impl $name {
            pub(crate) const ABOUT: &'static str = concat!($($about),+);

            pub(crate) const DEFINITIONS: &'static [$crate::definition::Definition] = &[
                $( $crate::definition::Definition {
                    section: $crate::section::Section::$section,
                    field: stringify!($field),
                    kind: $kind,
                    arity: <$type as $crate::field::Field>::ARITY,
                    default: $default,
                    help: concat!($($help, "\n"),+),
                    short: $crate::section_macro::section!(@short $($short)?),
                    secret: $crate::section_macro::section!(@secret $($secret)?),
                    commands: $commands,
                }, )+
            ];

            /// Reads the text chosen for each option.
            pub(crate) fn read(resolved: &$crate::resolved_settings::ResolvedSettings) -> Result<Self, $crate::error::SettingsError> {
                Ok(Self { $( $field: resolved.read(stringify!($field))?, )+ })
            }
        }
    };
    (@short) => { None };
    (@short $short:literal) => { Some($short) };
    (@secret) => { false };
    (@secret $secret:literal) => { $secret };
}
pub(crate) use section;
